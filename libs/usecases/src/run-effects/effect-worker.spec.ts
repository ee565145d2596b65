import { Refusal } from '@lib/domain';
import {
  NODE,
  World,
  creation,
  documentOf,
  endings,
  eventData,
  eventTypes,
  maintain,
  manageable,
  powerTo,
  provision,
  removal,
  uuidOf,
  waiting,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const synchronous = { inspect_interface: 'fake' };

describe('the effect worker', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
  });
  afterEach(() => world.stop());

  const warnings = () => world.records.filter(({ level }) => level === 'warn' || level === 'error');

  it('keeps its lease while the work takes longer, so that nobody else starts it', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(120_000);
    expect(world.script.calls('inspect')).toHaveLength(1);
    work.answer({ returned: 'MANAGEABLE' });
    await world.settle();
    expect(await endings(world)).toEqual(['InspectionFinished']);
  });

  it('takes over from a dead worker when its lease has ended; what the dead one brings is dropped', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    await conductor.kill();
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(10_000);
    expect(world.script.calls('inspect')).toHaveLength(1);
    await world.clock.advanceBy(10_000);
    expect(world.script.calls('inspect')).toHaveLength(2);
    work.answer({ returned: 'MANAGEABLE' });
    await world.clock.advanceBy(60_000);
    expect(await endings(world)).toEqual(['InspectionFinished']);
    expect((await eventData(world, 'InspectionFinished'))[0]).toMatchObject({ attempt: 1 });
  });

  it('drops the outcome of a claim that was taken over, also when it comes first', async () => {
    await manageable(world, NODE, synchronous);
    const old = world.script.hold('inspect');
    await world.do(provision('inspect'));
    // Its renewals fail for a while, as over a broken connection.
    const [owned] = await world.memory.leases.claim('thief', world.clock.now() + 15_001, 60_000, 1);
    expect(owned).toMatchObject({ claim: 2 });
    old.answer({ returned: 'nonsense' });
    await world.settle();
    expect(await endings(world)).toEqual([]);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspecting', reservation: 'conductor-1' });
  });

  it('ends what takes longer than its limit as a failure', async () => {
    await manageable(world, NODE, synchronous);
    world.script.hold('inspect');
    await world.do(provision('inspect'));
    await world.clock.advanceBy(599_999);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspecting' });
    await world.clock.advanceBy(1);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      reservation: null,
      last_error: 'no answer within 600 seconds',
    });
  });

  it('aborts the call of an effect whose limit has passed', async () => {
    await manageable(world, NODE, synchronous);
    const signals: AbortSignal[] = [];
    world.script.play('inspect', (_asked, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    await world.do(provision('inspect'));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await world.clock.advanceBy(600_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("gives a power change the client's own limit", async () => {
    await manageable(world);
    world.script.hold('power');
    await world.do({ type: 'ChangePower', uuid: NODE, target: 'power on', timeoutSeconds: 5 });
    await world.clock.advanceBy(4999);
    expect(await documentOf(world)).toMatchObject({ target_power_state: 'power on' });
    await world.clock.advanceBy(1);
    expect(await documentOf(world)).toMatchObject({ target_power_state: null, power_state: null, reservation: null });
    expect((await documentOf(world))?.['last_error']).toContain('no answer within 5 seconds');
  });

  it('does not touch the hardware for an attempt that has ended', async () => {
    const start = world.script.hold('start');
    await waiting(world);
    world.script.play('start', async (_asked, call) => {
      await new Promise<void>((resolve) => world.clock.after(1000, resolve));
      await call.stillStands();
      throw new Error('the second call was made');
    });
    start.refuse(new Error('no room'));
    await world.settle();
    expect(await endings(world)).toEqual(['InspectionFailed']);
    await world.do(provision('inspect'));
    await world.do(maintain());
    await world.do(removal());
    await world.clock.advanceBy(5000);
    expect(await endings(world)).toEqual(['InspectionFailed', 'InspectionRemoved']);
    expect(warnings()).toEqual([]);
  });

  it('closes an effect that was not begun when its attempt ended, without a call', async () => {
    const start = world.script.hold('start');
    await waiting(world);
    const abort = world.send(provision('abort'));
    await world.settle();
    start.refuse(new Error('no room'));
    await world.settle();
    expect(abort.reply?.ok).toBe(false);
    expect(world.script.calls('abort')).toEqual([]);
    expect(await eventData(world, 'EffectClosed')).toEqual([expect.objectContaining({ outcome: 'cancelled' })]);
  });

  it("runs a node's effects one at a time and in order, and those of other nodes side by side", async () => {
    const other = uuidOf(2);
    await waiting(world);
    await waiting(world, other);
    const power = world.script.hold('power');
    for (const target of ['power on', 'power off', 'rebooting']) await world.do(powerTo(target));
    await world.do(powerTo('power on', other));
    const wanted = () => world.script.calls('power').map((asked) => [asked.node, asked.wanted]);
    expect(wanted()).toEqual([
      [NODE, 'power on'],
      [other, 'power on'],
    ]);
    power.answer({ powerState: 'power on', changed: true });
    await world.settle();
    expect(wanted().slice(2)).toEqual([[NODE, 'power off']]);
    power.answer({ powerState: 'power off', changed: true });
    await world.settle();
    expect(wanted().slice(3)).toEqual([[NODE, 'rebooting']]);
  });

  it('starts a new inspection only after the clean-up of the last one', async () => {
    await waiting(world, NODE, { inspect_interface: 'agent' });
    const power = world.script.hold('power');
    const sent = world.send(provision('abort'));
    await world.settle();
    expect(sent.reply?.ok).not.toBeNull();
    await world.clock.advanceBy(40_000);
    await world.do(provision('inspect'));
    const inspections = world.script.calls('inspect').length;
    power.answer({ powerState: 'power off', changed: true });
    await world.settle();
    expect(world.script.calls('inspect').length).toBe(inspections + 1);
  });

  it('works on at most as many effects at once as it may', async () => {
    await conductor.stop();
    await world.conductor({ host: 'conductor-2', workersMax: 2 });
    const nodes = [1, 2, 3, 4, 5].map(uuidOf);
    for (const node of nodes) await manageable(world, node, synchronous);
    const work = world.script.hold('inspect');
    for (const node of nodes) await world.do(provision('inspect', node));
    expect(work.waiting()).toBe(2);
    work.answer({ returned: 'MANAGEABLE' });
    await world.settle();
    expect(work.waiting()).toBe(2);
    work.answer({ returned: 'MANAGEABLE' });
    await world.settle();
    work.answer({ returned: 'MANAGEABLE' });
    await world.settle();
    for (const node of nodes) expect(await documentOf(world, node)).toMatchObject({ provision_state: 'manageable' });
  });

  it('brings its outcome again when the log can not be written', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    world.memory.store.fault = 'disk full';
    work.answer({ returned: 'MANAGEABLE' });
    await world.clock.advanceBy(700);
    expect(await endings(world)).toEqual([]);
    world.memory.store.fault = null;
    await world.clock.advanceBy(1000);
    expect(await endings(world)).toEqual(['InspectionFinished']);
    expect(world.script.calls('inspect')).toHaveLength(1);
  });

  it('keeps its outcome for as long as the log can not be written, and does the work once', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    world.memory.store.fault = 'disk full';
    work.answer({ returned: 'MANAGEABLE' });
    await world.clock.advanceBy(60_000);
    expect(await endings(world)).toEqual([]);
    expect(warnings().some(({ text }) => text.includes('can not be recorded yet'))).toBe(true);
    world.memory.store.fault = null;
    await world.clock.advanceBy(20_000);
    expect(await endings(world)).toEqual(['InspectionFinished']);
    expect(world.script.calls('inspect')).toHaveLength(1);
  });

  it('gives its leases back when it stops, so that another goes on at once', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    const stopping = conductor.worker.stop(5000);
    await world.clock.advanceBy(5000);
    await stopping;
    world.script.obey('inspect');
    await world.conductor({ host: 'conductor-2' });
    expect(await endings(world)).toEqual(['InspectionFinished']);
    work.answer({ returned: 'nonsense' });
    await world.clock.advanceBy(1000);
    expect(await endings(world)).toEqual(['InspectionFinished']);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'manageable', last_error: null });
  });

  it('waits with its stop for the work that runs, and takes no new work', async () => {
    await manageable(world, NODE, synchronous);
    await manageable(world, uuidOf(2), synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    let stopped = false;
    const stopping = conductor.worker.stop(60_000).then(() => (stopped = true));
    await world.do(provision('inspect', uuidOf(2)));
    await world.clock.advanceBy(1000);
    expect([stopped, work.waiting()]).toEqual([false, 1]);
    work.answer({ returned: 'MANAGEABLE' });
    await world.settle();
    await stopping;
    expect(await endings(world)).toEqual(['InspectionFinished']);
    expect(world.script.calls('inspect', uuidOf(2))).toEqual([]);
  });

  it('does not begin what it claimed while it was being stopped', async () => {
    await manageable(world, NODE, synchronous);
    await conductor.stop();
    const { leases } = world.memory;
    let go: () => void = () => undefined;
    const claim = leases.claim.bind(leases);
    Object.assign(leases, {
      claim: async (...args: Parameters<typeof claim>) => {
        const claimed = await claim(...args);
        await new Promise<void>((resolve) => (go = resolve));
        return claimed;
      },
    });
    const slow = await world.conductor({ host: 'conductor-2' });
    go();
    await world.settle();
    const sent = world.send(provision('inspect'), { to: slow });
    await world.settle();
    expect(sent.reply?.ok).toBe(true);
    const stopping = slow.worker.stop(0);
    await world.settle();
    go();
    await world.settle();
    await stopping;
    expect(world.script.calls('inspect')).toEqual([]);
    Object.assign(leases, { claim });
    await world.conductor({ host: 'conductor-3' });
    expect(world.script.calls('inspect')).toHaveLength(1);
  });

  it('runs an effect once more when the clock was set forward, and has one outcome', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    world.clock.jumpTo(world.clock.now() + 3_600_000);
    await world.clock.advanceBy(2000);
    work.answer({ returned: 'MANAGEABLE' });
    await world.clock.advanceBy(2000);
    expect(await endings(world)).toEqual(['InspectionFinished']);
  });
});

describe('what a failed call is told as', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
    await manageable(world, NODE, synchronous);
  });
  afterEach(() => world.stop());

  class HardwareError extends Error {
    override readonly name = 'HardwareError';
  }

  it.each([
    ['an error of the interface', new Error('the BMC says no'), 'the BMC says no'],
    ['a named error of the interface', new HardwareError('no such system'), 'no such system'],
    ['a refusal', new Refusal('UNSUPPORTED_EXTENSION', 'not supported'), 'not supported'],
    ['a bug', new TypeError('x is not a function'), 'Unexpected exception TypeError: x is not a function'],
    ['a text', 'kaputt', 'Unexpected exception: kaputt'],
    ['nothing at all', undefined, 'Unexpected exception: undefined'],
  ])('%s', async (_name, thrown, text) => {
    world.script.refuse('inspect', thrown);
    await world.do(provision('inspect'));
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: text,
      reservation: null,
    });
    const rows = await world.memory.readModel.list({
      kind: 'node_history',
      where: [],
      sort: { column: 'seq', descending: false },
      limit: 10,
    });
    expect(rows?.map(({ json }) => JSON.parse(json) as object)).toEqual([
      expect.objectContaining({
        event: text,
        event_type: 'introspection',
        severity: 'ERROR',
        conductor: 'conductor-1',
      }),
    ]);
  });

  it.each([null, 'INSPECTFAILED', 'nonsense'])('an unexpected return value: %s', async (returned) => {
    world.script.play('inspect', () => ({ returned }));
    await world.do(provision('inspect'));
    const document = await documentOf(world);
    expect(document).toMatchObject({ provision_state: 'inspect failed' });
    expect(document?.['last_error']).toContain(String(returned));
  });

  it('a verification that fails', async () => {
    world.script.refuse('read power', new Error('wrong password'));
    await world.do(creation(uuidOf(2)));
    await world.do(provision('manage', uuidOf(2)));
    expect(await documentOf(world, uuidOf(2))).toMatchObject({ provision_state: 'enroll', reservation: null });
    expect((await documentOf(world, uuidOf(2)))?.['last_error']).toContain('wrong password');
  });
});

describe('a store that is slow to tell whether an effect still stands', () => {
  it('does not make its limit pass unheard', async () => {
    const world = new World();
    await world.conductor({ limits: { workMs: 1000 } });
    await world.do(creation());
    const { log } = world.memory;
    const readStream = log.readStream.bind(log);
    let reads = 0;
    const slow = jest.spyOn(log, 'readStream').mockImplementation((...args) => {
      reads += 1;
      return reads === 2 ? new Promise(() => undefined) : readStream(...args);
    });
    await world.do(provision('manage'));
    await world.clock.advanceBy(1000);
    slow.mockRestore();
    expect((await eventData(world, 'WorkFailed'))[0]).toMatchObject({
      error: 'Failed to verify the node: no answer within 1 seconds',
    });
    await world.stop();
  });
});

describe('an interface that returns INSPECTING', () => {
  it.each([
    ['warn', 'inspect wait', 1],
    ['fail', 'inspect failed', 0],
  ] as const)('with %s goes to %s', async (inspectingReturn, state, times) => {
    const world = new World();
    await world.conductor({ policy: { inspectingReturn } });
    await manageable(world, NODE, { inspect_interface: 'legacy' });
    await world.do(provision('inspect'));
    await world.clock.advanceBy(60_000);
    expect(await documentOf(world)).toMatchObject({ provision_state: state });
    const warned = world.records.filter(({ level, text }) => level === 'warn' && text.includes('INSPECTING'));
    expect(warned).toHaveLength(times);
    for (const { fields } of warned) expect(fields).toMatchObject({ node: NODE, attempt: 1, interface: 'legacy' });
    expect((await eventTypes(world)).filter((type) => type === 'InspectionWaiting')).toHaveLength(times);
    await world.stop();
  });
});
