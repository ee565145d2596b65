import { PowerSync } from '@lib/usecases';
import type { PowerSyncOptions } from '@lib/usecases';
import { secretBox } from '@lib/adapters/secret-box';
import type { PowerInterface } from '@lib/ports';
import {
  MASTER_KEY,
  NODE,
  World,
  conductorOptions,
  documentOf,
  eventData,
  eventTypes,
  maintain,
  manageable,
  powerTo,
  provision,
  removal,
  streamOf,
  uuidOf,
  waiting,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const PERIOD_MS = 120_000;
const RECOVERY_MS = 300_000;
const usual: PowerSyncOptions = {
  periodMs: PERIOD_MS,
  recoveryPeriodMs: RECOVERY_MS,
  workers: 8,
  retriesMax: 3,
  putsRight: true,
  answerMs: 60_000,
};

describe('the power sync', () => {
  let world: World;
  let conductor: WorldConductor;
  const opened: PowerSync[] = [];

  const syncOf = (
    rest: Partial<PowerSyncOptions> = {},
    share = () => true,
    by = conductor,
    hardware = world.hardware,
  ): PowerSync => {
    const { memory, clock, chance, logger } = world;
    const sync = new PowerSync({
      commits: by.commits,
      readModel: memory.readModel,
      hardware,
      box: secretBox({ masterKey: MASTER_KEY, keys: memory.keyStore, chance }),
      clock,
      chance,
      logger,
      options: conductorOptions('conductor-1'),
      power: { ...usual, ...rest },
      share: () => Promise.resolve(share),
    });
    opened.push(sync);
    return sync;
  };
  const shows = (state: unknown): void => world.script.play('read power', () => state);
  const silent = (): void => world.script.refuse('read power', new Error('connection refused'));
  /** Managed, powered on, and looked at by nobody yet. */
  const running = async (uuid = NODE): Promise<void> => {
    await manageable(world, uuid);
    await world.do(powerTo('power on', uuid));
    await world.settle();
    expect(await documentOf(world, uuid)).toMatchObject({ power_state: 'power on', target_power_state: null });
    world.script.asked.length = 0;
  };
  const reads = (): number => world.script.calls('read power').length;

  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((sync) => sync.stop()));
    await world.stop();
  });

  it('looks once in each period, and leaves no trace of a machine that is as recorded', async () => {
    await running();
    const head = await world.memory.log.head();
    syncOf().start();
    await world.clock.advanceBy(PERIOD_MS - 1);
    expect(reads()).toBe(0);
    await world.clock.advanceBy(1);
    expect(reads()).toBe(1);
    await world.clock.advanceBy(9 * PERIOD_MS);
    expect(reads()).toBe(10);
    expect(await world.memory.log.head()).toBe(head);
  });

  it.each([
    [{ periodMs: 0 }, 0],
    [{ recoveryPeriodMs: 0 }, 1],
  ])('is off where the settings say so: %j', async (off, times) => {
    await running();
    syncOf(off).start();
    await world.clock.advanceBy(PERIOD_MS);
    expect(reads()).toBe(times);
  });

  it('puts a machine back into the recorded state', async () => {
    await running();
    shows('power off');
    await syncOf().run('sync');
    await world.settle();
    expect(world.script.calls('power').map(({ wanted }) => wanted)).toEqual(['power on']);
    expect(await documentOf(world)).toMatchObject({
      power_state: 'power on',
      target_power_state: null,
      reservation: null,
    });
  });

  it('records what it sees where it is not to put right', async () => {
    await running();
    shows('power off');
    const sync = syncOf({ putsRight: false });
    for (let pass = 0; pass < 6; pass += 1) await sync.run('sync');
    expect(await documentOf(world)).toMatchObject({ power_state: 'power off', maintenance: false });
    expect(await eventData(world, 'PowerStateSeen')).toHaveLength(1);
    expect(world.script.calls('power')).toEqual([]);
  });

  it('learns a power state that nobody knew', async () => {
    await manageable(world);
    shows('power on');
    await syncOf().run('sync');
    expect(await documentOf(world)).toMatchObject({ power_state: 'power on' });
  });

  it('takes "I cannot tell" for no news', async () => {
    await running();
    shows(null);
    const head = await world.memory.log.head();
    const sync = syncOf({ retriesMax: 0 });
    await sync.run('sync');
    await sync.run('sync');
    expect(await world.memory.log.head()).toBe(head);
  });

  it('sets the fault when a machine does not answer once too often, and takes it away with the first answer', async () => {
    await running();
    silent();
    const sync = syncOf();
    sync.start();
    await world.clock.advanceBy(3 * PERIOD_MS);
    expect(await documentOf(world)).toMatchObject({ maintenance: false, power_state: 'power on', fault: null });
    await world.clock.advanceBy(PERIOD_MS);
    const text = 'The power could not be read 4 times in a row: connection refused';
    expect(await documentOf(world)).toMatchObject({
      maintenance: true,
      maintenance_reason: text,
      last_error: text,
      fault: 'power failure',
      power_state: null,
    });
    await world.clock.advanceBy(RECOVERY_MS);
    expect(await documentOf(world)).toMatchObject({ fault: 'power failure' });
    shows('power off');
    await world.clock.advanceBy(RECOVERY_MS);
    expect(await documentOf(world)).toMatchObject({
      maintenance: false,
      maintenance_reason: null,
      fault: null,
      power_state: 'power off',
    });
    expect((await eventTypes(world)).slice(-2)).toEqual(['PowerControlLost', 'PowerControlRegained']);
  });

  it('counts failures in a row only', async () => {
    await running();
    const sync = syncOf({ retriesMax: 1 });
    for (let pass = 0; pass < 5; pass += 1) {
      silent();
      await sync.run('sync');
      shows('power on');
      await sync.run('sync');
    }
    expect(await documentOf(world)).toMatchObject({ maintenance: false });
  });

  it('goes on counting where a pass is cut short, since it did not get to every node', async () => {
    await running();
    silent();
    const sync = syncOf({ retriesMax: 1 });
    await sync.run('sync');
    const { readModel } = world.memory;
    const list = readModel.list.bind(readModel);
    Object.assign(readModel, { list: () => Promise.resolve(null) });
    await sync.run('sync');
    Object.assign(readModel, { list });
    await sync.run('sync');
    expect(await documentOf(world)).toMatchObject({ fault: 'power failure' });
  });

  it('gives up a machine that does not stay as it is put', async () => {
    await running();
    shows('power off');
    const sync = syncOf({ retriesMax: 2 });
    for (let pass = 0; pass < 3; pass += 1) {
      await sync.run('sync');
      await world.settle();
    }
    expect(world.script.calls('power')).toHaveLength(2);
    expect(await documentOf(world)).toMatchObject({
      fault: 'power failure',
      maintenance_reason: 'The machine was found in "power off" 3 times in a row, and not in "power on".',
    });
  });

  it('does not wait for ever, and is not kept from other nodes by one that hangs', async () => {
    await running();
    await running(uuidOf(2));
    world.script.play('read power', ({ node }) => (node === NODE ? new Promise(() => undefined) : 'power off'));
    const pass = syncOf({ putsRight: false, retriesMax: 0 }).run('sync');
    await world.settle();
    expect(await documentOf(world, uuidOf(2))).toMatchObject({ power_state: 'power off' });
    await world.clock.advanceBy(usual.answerMs);
    await pass;
    expect(await documentOf(world)).toMatchObject({
      fault: 'power failure',
      last_error: 'The power could not be read 1 times in a row: no answer within 60 s',
    });
  });

  it('is only a witness while an inspection waits: no power change, no maintenance, the deadline stays', async () => {
    await waiting(world);
    const deadlines = async () => (await streamOf(world)).node?.deadlines;
    const before = await deadlines();
    expect(before).toHaveLength(1);
    const sync = syncOf({ retriesMax: 0 });
    silent();
    await sync.run('sync');
    await sync.run('sync');
    shows('power on');
    await sync.run('sync');
    await world.settle();
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect wait',
      maintenance: false,
      power_state: 'power on',
      last_error: null,
    });
    expect(world.script.calls('power')).toEqual([]);
    expect(await deadlines()).toEqual(before);
  });

  it('asks no machine whose node is reserved, in maintenance, new or gone', async () => {
    await running();
    const peer = world.script.hold('power');
    await world.do(powerTo('power off'));
    await world.settle();
    const sync = syncOf();
    await sync.run('sync');
    peer.answer({ powerState: 'power off', changed: true });
    await world.settle();
    await world.do(maintain());
    await sync.run('sync');
    await sync.run('recovery');
    await world.do(removal());
    await sync.run('sync');
    expect(reads()).toBe(0);
  });

  it('decides nothing for a node that went to work while its machine was asked', async () => {
    await running();
    const peer = world.script.hold('read power');
    const pass = syncOf().run('sync');
    await world.settle();
    world.script.hold('inspect');
    await world.do(provision('inspect'));
    peer.answer('power off');
    await pass;
    expect((await eventTypes(world)).at(-1)).toBe('InspectionStarted');
  });

  it.each([true, false])(
    'takes what it saw for old news where the power was changed while the machine was asked; puts right: %s',
    async (putsRight) => {
      await running();
      const peer = world.script.hold('read power');
      const pass = syncOf({ putsRight }).run('sync');
      await world.settle();
      await world.do(powerTo('power on'));
      await world.settle();
      peer.answer('power off');
      await pass;
      await world.settle();
      expect(await documentOf(world)).toMatchObject({ power_state: 'power on' });
      expect(world.script.calls('power').map(({ wanted }) => wanted)).toEqual(['power on']);
      expect(await eventTypes(world)).not.toContain('PowerStateSeen');
    },
  );

  it('gives nobody up for a failure that a change of power came between', async () => {
    await running();
    const peer = world.script.hold('read power');
    const pass = syncOf({ retriesMax: 0 }).run('sync');
    await world.settle();
    await world.do(powerTo('power off'));
    await world.settle();
    peer.refuse(new Error('connection reset'));
    await pass;
    expect(await documentOf(world)).toMatchObject({ maintenance: false, power_state: 'power off' });
  });

  it('leaves the maintenance to an operator who has taken it over, and says so by the fault', async () => {
    await running();
    silent();
    const sync = syncOf({ retriesMax: 0 });
    await sync.run('sync');
    expect(await documentOf(world)).toMatchObject({ maintenance: true, fault: 'power failure' });
    await world.do({ type: 'SetMaintenance', uuid: NODE, reason: 'the board is being replaced' });
    shows('power on');
    await sync.run('recovery');
    expect(await documentOf(world)).toMatchObject({
      maintenance: true,
      maintenance_reason: 'the board is being replaced',
      fault: null,
    });
  });

  it('goes by what is recorded, and not by what this conductor remembers of a node that another one moved on', async () => {
    await running();
    const other = await world.conductor({ host: 'conductor-2' });
    await world.ask(maintain(), { to: conductor });
    await world.ask({ type: 'ClearMaintenance', uuid: NODE }, { to: other });
    shows('power off');
    await syncOf({ putsRight: false }).run('sync');
    expect(await documentOf(world)).toMatchObject({ power_state: 'power off' });
  });

  it('lets one of two conductors win', async () => {
    await running();
    shows('power off');
    const other = await world.conductor({ host: 'conductor-2' });
    await Promise.all([syncOf().run('sync'), syncOf({}, undefined, other).run('sync')]);
    await world.settle();
    expect(world.script.calls('power')).toHaveLength(1);
  });

  it('looks at its own share only', async () => {
    await running();
    await syncOf({}, () => false).run('sync');
    expect(reads()).toBe(0);
  });

  it('does not ask interfaces that know no machine', async () => {
    await running();
    const dull = (name: string): PowerInterface => ({ ...world.hardware.power(name), remembersOnly: true });
    await syncOf({}, undefined, conductor, { ...world.hardware, power: dull }).run('sync');
    expect(reads()).toBe(0);
  });

  it('asks a bounded number of machines at a time', async () => {
    for (let index = 1; index <= 5; index += 1) await running(uuidOf(index));
    const peer = world.script.hold('read power');
    const pass = syncOf({ workers: 2 }).run('sync');
    await world.settle();
    expect(peer.waiting()).toBe(2);
    while (peer.waiting() > 0) {
      peer.answer('power on');
      await world.settle();
    }
    await pass;
    expect(reads()).toBe(5);
  });

  it('stops, also in the middle of a question, and notes nothing then', async () => {
    await running();
    world.script.hold('read power');
    const sync = syncOf({ retriesMax: 0 });
    sync.start();
    await world.clock.advanceBy(PERIOD_MS);
    await sync.stop();
    await world.clock.advanceBy(10 * PERIOD_MS);
    expect(reads()).toBe(1);
    expect(await documentOf(world)).toMatchObject({ maintenance: false });
  });
});
