/** What only many requests in a row show of the abort. */
import { NODE, World, documentOf, provision, uuidOf, waiting } from '../world';
import { Whole } from '../whole';
import { expectSoundEnd } from '../field-reports/row';

jest.setTimeout(120_000);

const MANY = 200;

it(`${MANY} nodes are aborted and inspected again while no time passes, and none waits for a look at the inspector [2.18]`, async () => {
  const world = new World();
  try {
    await world.conductor({ syncPeriodMs: 60_000 });
    const uuids = Array.from({ length: MANY }, (_, index) => uuidOf(index + 1));
    for (const uuid of uuids) await waiting(world, uuid);
    const from = world.clock.now();
    for (const uuid of uuids) await world.do(provision('abort', uuid));
    for (const uuid of uuids) await world.do(provision('inspect', uuid));
    const states = await Promise.all(uuids.map(async (uuid) => (await documentOf(world, uuid))?.['provision_state']));
    expect(new Set(states)).toEqual(new Set(['inspect wait']));
    expect(world.clock.now()).toBe(from);
    expect(world.script.asked.filter(({ word }) => word === 'report')).toEqual([]);
    expect(world.script.asked.filter(({ word }) => word === 'abort')).toHaveLength(MANY);
  } finally {
    await world.stop();
  }
});

it('after it was accepted the inspector is asked nothing more, and the node stays failed whatever time passes [1.9, 2.7, 2.8]', async () => {
  const world = new World();
  try {
    await world.conductor({ syncPeriodMs: 1_000 });
    await world.scheduler();
    await waiting(world);
    await world.do(provision('abort'));
    const asked = world.script.asked.length;
    await world.clock.advanceBy(3_600_000);
    expect(world.script.asked.slice(asked).filter(({ word }) => word === 'abort' || word === 'report')).toEqual([]);
    expect(await documentOf(world, NODE)).toMatchObject({ provision_state: 'inspect failed' });
  } finally {
    await world.stop();
  }
});

it('the whole way through the API: inspect, wait, abort, failed, manage, provide [2.16, 2.21]', async () => {
  const whole = await Whole.start();
  try {
    const api = await whole.api();
    const uuid = await api.waiting({ inspect: 'inspector' });
    const seen = [await api.state(uuid)];
    for (const verb of ['abort', 'manage', 'provide']) {
      expect((await api.provision(uuid, verb)).status).toBe(202);
      seen.push(await api.state(uuid));
    }
    expect(seen).toEqual(['inspect wait', 'inspect failed', 'manageable', 'available']);
    expect((await api.history(uuid)).map(({ event_type: type }) => type)).toEqual(['introspection']);
  } finally {
    await expectSoundEnd(whole);
  }
});

it.each(['is gone', 'says nothing'])('a node whose inspector %s fails at its own time [1.1]', async (how) => {
  const world = new World();
  try {
    await world.conductor({ syncPeriodMs: 60_000 });
    await world.scheduler();
    await waiting(world);
    const silent = how === 'is gone' ? null : world.script.hold('report');
    if (!silent) world.script.refuse('report', new Error('connection refused'));
    await world.clock.advanceBy(1_799_999);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
    await world.clock.advanceBy(1);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.stringMatching(/timeout reached/i) as unknown,
    });
    silent?.refuse(new Error('over'));
  } finally {
    await world.stop();
  }
});
