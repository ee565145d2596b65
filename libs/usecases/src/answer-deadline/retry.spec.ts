import {
  World,
  documentOf,
  endings,
  eventData,
  maintain,
  provision,
  unmaintain,
  waiting,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const WAIT_MS = 60_000;
const BACKOFF_MS = 10_000;
const inspectRetry = { attempts: 2, groups: {}, backoffSeconds: BACKOFF_MS / 1000, factor: 2, secondsMax: 3600 };
const policy = { inspectWaitTimeoutSeconds: WAIT_MS / 1000, inspectRetry };

describe('an inspection under a policy of retries', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor({ policy });
    await world.scheduler();
  });
  afterEach(() => world.stop());

  const started = async () =>
    (await eventData(world, 'InspectionStarted')).map(({ attempt, retry, at }) => ({ attempt, retry, at }));

  it('begins anew by itself after each timeout, numbered, and stays failed after the last', async () => {
    await waiting(world);
    await world.clock.advanceBy(WAIT_MS);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.stringMatching(/timeout reached.*Retry 1 of 2 begins at /i),
    });
    await world.clock.advanceBy(BACKOFF_MS - 1);
    expect(await started()).toHaveLength(1);
    await world.clock.advanceBy(2000);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait', last_error: null });
    await world.clock.advanceBy(WAIT_MS + 2 * BACKOFF_MS + 2000);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
    await world.clock.advanceBy(10 * WAIT_MS);
    expect(await started()).toMatchObject([
      { attempt: 1 },
      { attempt: 2, retry: { number: 1, of: 2 } },
      { attempt: 3, retry: { number: 2, of: 2 } },
    ]);
    expect(await endings(world)).toEqual(['InspectionTimedOut', 'InspectionTimedOut', 'InspectionTimedOut']);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.not.stringContaining('Retry'),
    });
  });

  it('keeps the error of each attempt in the history', async () => {
    await waiting(world);
    await world.clock.advanceBy(WAIT_MS + BACKOFF_MS + 2000);
    const sort = { column: 'seq', descending: false };
    const rows = await world.memory.readModel.list({ kind: 'node_history', where: [], sort, limit: 10 });
    const texts = (rows ?? []).map(({ json }) => (JSON.parse(json) as { event: string }).event);
    expect(texts.filter((text) => /^Attempt 1: .*timeout reached.*Retry 1 of 2/i.test(text))).toHaveLength(1);
  });

  it('is held by maintenance, and goes with an abort of the attempt', async () => {
    await waiting(world);
    await world.clock.advanceBy(WAIT_MS);
    await world.do(maintain());
    await world.clock.advanceBy(10 * BACKOFF_MS);
    expect(await started()).toHaveLength(1);
    await world.do(unmaintain());
    await world.clock.advanceBy(2000);
    expect(await started()).toHaveLength(2);
    await world.ask(provision('abort'));
    await world.clock.advanceBy(100 * WAIT_MS);
    expect(await started()).toHaveLength(2);
    expect((await endings(world)).at(-1)).toBe('InspectionAborted');
  });

  it('is taken up by the conductor that comes after one that was killed', async () => {
    await waiting(world);
    await world.clock.advanceBy(WAIT_MS);
    await conductor.kill();
    await world.conductor({ policy });
    await world.clock.advanceBy(BACKOFF_MS + 2000);
    expect(await started()).toMatchObject([{ attempt: 1 }, { attempt: 2, retry: { number: 1, of: 2 } }]);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
  });
});
