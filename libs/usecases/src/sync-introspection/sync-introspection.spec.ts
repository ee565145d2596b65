import type { IntrospectionReport } from '@lib/ports';
import {
  NODE,
  World,
  documentOf,
  endings,
  eventData,
  maintain,
  provision,
  removal,
  uuidOf,
  waiting,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const PERIOD_MS = 60_000;
const found = { inventory: { cpu: { count: 4 } }, logs: 'never kept', root_disk: { name: '/dev/sda' } };

describe('the sync with the inspector', () => {
  let world: World;
  let conductor: WorldConductor;
  const say = (report: (node: string) => IntrospectionReport | Promise<IntrospectionReport>): void =>
    world.script.play('report', ({ node }) => report(node));
  const ended = (rest: { error?: string | null; data?: object | null; startedAt?: number } = {}): IntrospectionReport =>
    ({ state: 'ended', startedAt: world.clock.now(), error: null, data: found, ...rest }) as IntrospectionReport;

  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor({ syncPeriodMs: PERIOD_MS });
    await waiting(world);
  });
  afterEach(() => world.stop());

  it('asks once in each period, and leaves a running introspection alone [2.3]', async () => {
    await world.clock.advanceBy(PERIOD_MS - 1);
    expect(world.script.calls('report')).toEqual([]);
    await world.clock.advanceBy(1);
    expect(world.script.calls('report')).toHaveLength(1);
    await world.clock.advanceBy(5 * PERIOD_MS);
    expect(world.script.calls('report')).toHaveLength(6);
    expect(await endings(world)).toEqual([]);
  });

  it('finishes with the data stored in the same append, logs left out', async () => {
    say(() => ended());
    const seen: number[] = [];
    const unlisten = world.memory.log.onCommit((events) => {
      if (events.some(({ type }) => type === 'InspectionFinished')) seen.push(world.memory.store.blobs.size);
    });
    await conductor.sync.run();
    unlisten();
    expect(seen).toEqual([2]);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'manageable',
      target_provision_state: null,
      last_error: null,
    });
    const [stored] = await world.memory.readModel.get('node_inventory', [NODE]);
    const { inventory, plugin_data: pluginData } = JSON.parse(stored?.json ?? '{}') as Record<string, string>;
    const read = async (hash = '') =>
      JSON.parse(Buffer.from((await world.memory.readModel.readBlob(hash)) ?? []).toString()) as unknown;
    expect(await read(inventory)).toEqual(found.inventory);
    expect(await read(pluginData)).toEqual({ root_disk: { name: '/dev/sda' } });
  });

  it.each([null, {}, { inventory: 'text' }, { inventory: [] }])(
    'finishes without data when there is none to be had: %j',
    async (data) => {
      say(() => ended({ data }));
      await conductor.sync.run();
      expect(await endings(world)).toEqual(['InspectionFinished']);
      expect(await world.memory.readModel.get('node_inventory', [NODE])).toEqual([]);
    },
  );

  it('takes an error before "finished"', async () => {
    say(() => ended({ error: 'the disk is too small' }));
    await conductor.sync.run();
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: 'ironic-inspector inspection failed: the disk is too small',
    });
    expect(await world.memory.readModel.get('node_inventory', [NODE])).toEqual([]);
    expect(world.memory.store.blobs.size).toBe(0);
  });

  it('ignores what belongs to an earlier inspection', async () => {
    const [started] = await eventData(world, 'InspectionStarted');
    const at = started?.['at'] as number;
    say(() => ended({ startedAt: at - 1 }));
    await conductor.sync.run();
    expect(await endings(world)).toEqual([]);
    say(() => ended({ startedAt: at }));
    await conductor.sync.run();
    expect(await endings(world)).toEqual(['InspectionFinished']);
  });

  it.each([
    ['does not know the node', () => ({ state: 'unknown' }) as const],
    ['runs', () => ({ state: 'running' }) as const],
    ['can not be reached', () => Promise.reject(new Error('connection refused'))],
  ])('changes nothing when the inspector %s', async (_name, report) => {
    say(report);
    const head = await world.memory.log.head();
    await world.clock.advanceBy(3 * PERIOD_MS);
    expect(await world.memory.log.head()).toBe(head);
    expect(world.script.calls('report')).toHaveLength(3);
  });

  it('is not kept from other nodes by one that fails', async () => {
    await waiting(world, uuidOf(2));
    say((node) => {
      if (node === NODE) throw new Error('500');
      return ended();
    });
    await conductor.sync.run();
    expect(await endings(world)).toEqual([]);
    expect(await endings(world, uuidOf(2))).toEqual(['InspectionFinished']);
  });

  it('asks a reserved node again in the next pass', async () => {
    const peer = world.script.hold('abort');
    world.send(provision('abort'));
    await world.settle();
    say(() => ended());
    await conductor.sync.run();
    expect(await endings(world)).toEqual([]);
    peer.refuse(new Error('busy'));
    await world.settle();
    await world.clock.advanceBy(PERIOD_MS);
    expect(await endings(world)).toEqual(['InspectionFinished']);
  });

  it('decides nothing for a node that was removed while the inspector was asked', async () => {
    const peer = world.script.hold('report');
    const pass = conductor.sync.run();
    await world.settle();
    await world.do(maintain());
    await world.do(removal());
    peer.answer(ended());
    await pass;
    expect(await documentOf(world)).toBeNull();
    expect(await endings(world)).toEqual(['InspectionRemoved']);
    expect(world.records.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('decides nothing for a newer attempt with the report of an older one', async () => {
    const peer = world.script.hold('report');
    const pass = conductor.sync.run();
    await world.settle();
    await world.ask(provision('abort'));
    await world.clock.advanceBy(1000);
    await world.do(provision('inspect'));
    peer.answer(ended({ startedAt: world.clock.now() + 1 }));
    await pass;
    expect(await endings(world)).toEqual(['InspectionAborted']);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
  });

  it('asks only for nodes of its interfaces that wait', async () => {
    await waiting(world, uuidOf(2), { inspect_interface: 'agent' });
    await world.ask(provision('abort'));
    await conductor.sync.run();
    expect(world.script.calls('report')).toEqual([]);
  });

  it('reaches all nodes, a bounded number at a time', async () => {
    for (let index = 2; index <= 40; index += 1) await waiting(world, uuidOf(index));
    const peer = world.script.hold('report');
    const pass = conductor.sync.run();
    await world.settle();
    expect(peer.waiting()).toBe(16);
    while (peer.waiting() > 0) {
      peer.answer({ state: 'running' });
      await world.settle();
    }
    await pass;
    expect(new Set(world.script.calls('report').map(({ node }) => node)).size).toBe(40);
  });

  it('does not begin a pass before the last one has ended', async () => {
    const peer = world.script.hold('report');
    await world.clock.advanceBy(5 * PERIOD_MS);
    expect(world.script.calls('report')).toHaveLength(1);
    peer.answer({ state: 'running' });
    await world.clock.advanceBy(PERIOD_MS);
    expect(world.script.calls('report')).toHaveLength(2);
    peer.answer({ state: 'running' });
  });

  it('tries again after a log that could not be written', async () => {
    say(() => ended());
    world.memory.store.fault = 'disk full';
    await world.clock.advanceBy(PERIOD_MS);
    world.memory.store.fault = null;
    expect(await endings(world)).toEqual([]);
    await world.clock.advanceBy(PERIOD_MS);
    expect(await endings(world)).toEqual(['InspectionFinished']);
  });

  it('stops', async () => {
    await conductor.sync.stop();
    await world.clock.advanceBy(10 * PERIOD_MS);
    expect(world.script.calls('report')).toEqual([]);
  });
});

describe.each([0, -1])('the sync with a period of %d', (syncPeriodMs) => {
  it('is off', async () => {
    const world = new World();
    await world.conductor({ syncPeriodMs });
    await waiting(world);
    await world.clock.advanceBy(10 * PERIOD_MS);
    expect(world.script.calls('report')).toEqual([]);
    await world.stop();
  });
});

it('stores nothing when data is not to be stored', async () => {
  const world = new World();
  const { sync } = await world.conductor({ storeData: false });
  await waiting(world);
  world.script.play('report', () => ({ state: 'ended', startedAt: world.clock.now(), error: null, data: found }));
  await sync.run();
  expect(await endings(world)).toEqual(['InspectionFinished']);
  expect(world.memory.store.blobs.size).toBe(0);
  await world.stop();
});
