import {
  NODE,
  World,
  documentOf,
  endings,
  eventData,
  maintain,
  provision,
  removal,
  unmaintain,
  uuidOf,
  waiting,
} from '../../../../test/world';

const WAIT_MS = 60_000;

describe('the deadline of an inspection', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor({ policy: { inspectWaitTimeoutSeconds: WAIT_MS / 1000 } });
  });
  afterEach(() => world.stop());

  it('passes at its millisecond, and the machine is powered off [1.7, 1.8, 1.28]', async () => {
    await world.scheduler();
    await waiting(world);
    const [started] = await eventData(world, 'InspectionStarted');
    const due = (started?.['at'] as number) + WAIT_MS;
    await world.clock.advanceTo(due - 1);
    expect(await endings(world)).toEqual([]);
    await world.clock.advanceBy(1);
    expect(await eventData(world, 'InspectionTimedOut')).toEqual([expect.objectContaining({ at: due, attempt: 1 })]);
    const document = await documentOf(world);
    expect(document).toMatchObject({ provision_state: 'inspect failed', power_state: 'power off', reservation: null });
    expect(String(document?.['last_error']).toLowerCase()).toContain('timeout reached');
    expect(world.script.calls('abort')).toEqual([]);
  });

  it('is over when it was over at the start, and not a millisecond before', async () => {
    await waiting(world);
    await waiting(world, uuidOf(2), { driver_info: { inspect_wait_timeout: 3600 } });
    await world.clock.advanceBy(WAIT_MS);
    expect(await endings(world)).toEqual([]);
    await world.scheduler();
    expect(await endings(world)).toEqual(['InspectionTimedOut']);
    expect(await endings(world, uuidOf(2))).toEqual([]);
  });

  it("is the node's own where it has one, and never with 0", async () => {
    await world.scheduler();
    await waiting(world, uuidOf(1), { driver_info: { inspect_wait_timeout: 1.5 } });
    await waiting(world, uuidOf(2), { driver_info: { inspect_wait_timeout: 0 } });
    await world.clock.advanceBy(1499);
    expect(await endings(world, uuidOf(1))).toEqual([]);
    await world.clock.advanceBy(1);
    expect(await endings(world, uuidOf(1))).toEqual(['InspectionTimedOut']);
    await world.clock.advanceBy(10 * WAIT_MS);
    expect(await endings(world, uuidOf(2))).toEqual([]);
  });

  it('is held by maintenance, and passes at once when that ends too late', async () => {
    await world.scheduler();
    await waiting(world);
    await world.clock.advanceBy(WAIT_MS - 1000);
    await world.do(maintain());
    await world.clock.advanceBy(WAIT_MS);
    expect(await endings(world)).toEqual([]);
    await world.do(unmaintain());
    expect(await endings(world)).toEqual(['InspectionTimedOut']);
  });

  it('of an older attempt ends nothing', async () => {
    await waiting(world, NODE, { driver_info: { inspect_wait_timeout: 100 } });
    const [old] = await world.memory.readModel.deadlines(Number.MAX_SAFE_INTEGER, 1);
    await world.ask(provision('abort'));
    await world.do(provision('inspect'));
    await world.clock.advanceBy(99_000);
    const { scheduleAgain } = await replaying(world);
    await scheduleAgain({ ...old, due: 0 } as NonNullable<typeof old>);
    await world.clock.advanceBy(0);
    expect(await endings(world)).toEqual(['InspectionAborted']);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
  });

  it('goes with its node', async () => {
    await world.scheduler();
    await waiting(world);
    await world.do(maintain());
    await world.do(removal());
    expect(world.memory.store.deadlines.size).toBe(0);
    await world.clock.advanceBy(2 * WAIT_MS);
    expect(await endings(world)).toEqual(['InspectionRemoved']);
  });

  it('never prevents the state by a power-off that fails: the reason grows [1.8]', async () => {
    world.script.refuse('power', new Error('no route to host'));
    await world.scheduler();
    await waiting(world);
    await world.clock.advanceBy(WAIT_MS);
    const document = await documentOf(world);
    expect(document).toMatchObject({ provision_state: 'inspect failed', target_power_state: null });
    expect(String(document?.['last_error'])).toMatch(/Timeout reached.*no route to host/);
  });

  it('of three hundred nodes, due at once, ends each exactly once', async () => {
    await world.scheduler();
    const nodes = Array.from({ length: 300 }, (_, index) => uuidOf(index));
    for (const node of nodes) {
      world.send({
        type: 'CreateNode',
        uuid: node,
        fields: { driver: 'fake-hardware', inspect_interface: 'inspector' },
        initialState: 'enroll',
      });
    }
    await world.settle();
    for (const verb of ['manage', 'inspect']) {
      for (const node of nodes) world.send(provision(verb, node));
      await world.clock.advanceBy(0);
      await world.clock.advanceBy(1000);
    }
    await world.clock.advanceBy(WAIT_MS);
    const all = await Promise.all(nodes.map((node) => endings(world, node)));
    expect(all.filter((ended) => ended.join() !== 'InspectionTimedOut')).toEqual([]);
    expect(await world.memory.readModel.deadlines(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  it('passes once although two schedulers ask', async () => {
    await world.scheduler();
    await world.scheduler();
    await waiting(world);
    await world.clock.advanceBy(WAIT_MS);
    expect(await endings(world)).toEqual(['InspectionTimedOut']);
  });
});

/** A scheduler that believes a deadline to be open that is not. */
async function replaying(world: World) {
  return {
    scheduleAgain: async (deadline: { stream: string; n: number; attempt: number; due: number }) => {
      const { deadlines } = world.memory.readModel;
      Object.assign(world.memory.readModel, { deadlines: async () => [deadline] });
      await world.scheduler();
      Object.assign(world.memory.readModel, { deadlines });
    },
  };
}
