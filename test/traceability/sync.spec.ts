/** What the rows say of the looks at the inspector. */
import type { IntrospectionReport } from '@lib/ports';
import { World, documentOf, eventData, patch, replace, waiting, type WorldConductor } from '../world';

const PERIOD_MS = 60_000;

let world: World;
let conductor: WorldConductor;

beforeEach(async () => {
  world = new World();
  conductor = await world.conductor({ syncPeriodMs: PERIOD_MS });
  await waiting(world);
});
afterEach(() => world.stop());

it('while the inspector is asked the node is held by nobody and can be changed; only what it reports is written [1.13]', async () => {
  const asked = world.script.hold('report');
  const pass = conductor.sync.run();
  await world.settle();
  expect(asked.waiting()).toBe(1);
  expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait', reservation: null });
  await world.do(patch([replace('/extra', { rack: 'r7' })]));
  const head = await world.memory.log.head();
  asked.answer({ state: 'running' } satisfies IntrospectionReport);
  await pass;
  expect(await world.memory.log.head()).toBe(head);
  expect(await documentOf(world)).toMatchObject({ reservation: null, extra: { rack: 'r7' } });
});

it.each([1, 17_000, 42_123, 59_999])(
  'an abort at the inspector itself, %i ms behind a look, ends the node at the next one, a period later at most [2.3, 1.19]',
  async (behindMs) => {
    const looks = () => world.script.asked.filter(({ word }) => word === 'report');
    while (looks().length === 0) await world.clock.advanceBy(1_000);
    const last = looks()[0]!.at;
    await world.clock.advanceTo(last + behindMs);
    const abortedAt = world.clock.now();
    world.script.play('report', () => ({
      state: 'ended',
      startedAt: abortedAt,
      error: 'Canceled by operator',
      data: null,
    }));
    await world.clock.advanceBy(PERIOD_MS);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: 'ironic-inspector inspection failed: Canceled by operator',
    });
    const [failed] = await eventData(world, 'InspectionFailed');
    expect(failed?.['at']).toBe(last + PERIOD_MS);
  },
);
