import type { Command } from '@lib/contracts';
import type { WorldConductor } from '../../../../test/world';
import type { InspectionSetup } from '../../../../test/world/options';
import {
  NODE,
  World,
  documentOf,
  limits,
  eventData,
  provision,
  removal,
  maintain,
  uuidOf,
  waiting,
} from '../../../../test/world';

const MAC = '52:54:00:00:00:01';
const LOGS = 'H4sIAAAAlogs';
const NAME = `${NODE}_20261130-100000.000000.tar.gz`;

const post = (pluginData: Readonly<Record<string, unknown>>): Command => ({
  type: 'ContinueInspection',
  uuid: uuidOf(900),
  askedNode: null,
  inventory: {
    cpu: { architecture: 'x86_64' },
    interfaces: [{ name: 'eth0', mac_address: MAC }],
    boot: { pxe_interface: MAC },
  },
  pluginData,
  tokenDigest: null,
});
const good = { root_disk: { name: '/dev/sda' }, logs: LOGS };
const bad = { error: 'no disk was found', logs: LOGS };

describe('the logs that a ramdisk sends with its data', () => {
  let world: World;
  let conductor: WorldConductor;
  async function start(inspection: InspectionSetup = {}): Promise<void> {
    world = new World();
    conductor = await world.conductor({ inspection });
    await waiting(world, NODE, { inspect_interface: 'agent' });
    const fields = { address: MAC };
    await world.do({ type: 'CreateResource', kind: 'port', minor: 82, uuid: uuidOf(501), nodeUuid: NODE, fields });
    await world.clock.advanceTo('2026-11-30T10:00:00Z');
  }
  afterEach(() => world.stop());
  const kept = () => [...conductor.logShelf.kept];

  it.each([
    ['on_failure', 'are kept', [[NAME, LOGS]]],
    ['always', 'are kept', [[NAME, LOGS]]],
    ['never', 'are dropped', []],
  ] as const)('of data that fails, with %s, %s', async (collectLogs, _what, expected) => {
    await start({ collectLogs });
    await world.ask(post(bad));
    expect(kept()).toEqual(expected);
    const { provision_state: state, last_error: error } = (await documentOf(world)) ?? {};
    expect([state, error]).toEqual(['inspect failed', expect.stringContaining('no disk was found')]);
    const where = `(logs of the ramdisk: ${NAME} on conductor-1)`;
    expect(String(error).includes(where)).toBe(expected.length > 0);
  });

  it.each([
    ['on_failure', 'are dropped', []],
    ['always', 'are kept', [[NAME, LOGS]]],
    ['never', 'are dropped', []],
  ] as const)('of data that is good, with %s, %s', async (collectLogs, _what, expected) => {
    await start({ collectLogs });
    await world.ask(post(good));
    expect(kept()).toEqual(expected);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'manageable', last_error: null });
  });

  it.each([
    ['none', {}],
    ['logs that are no text', { logs: { tar: 1 } }],
    ['an empty text', { logs: '' }],
  ])('are kept only where there are some: %s', async (_what, rest) => {
    await start({ collectLogs: 'always' });
    await world.ask(post({ error: 'no disk was found', ...rest }));
    expect(kept()).toEqual([]);
    expect(String((await documentOf(world))?.['last_error'])).not.toContain('logs of the ramdisk');
  });

  it.each([
    ['on_failure', bad, 'inspect failed'],
    ['always', good, 'manageable'],
  ] as const)('that cannot be kept change nothing for the machine, with %s', async (collectLogs, data, state) => {
    await start({ collectLogs });
    conductor.logShelf.keep = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    await world.ask(post(data));
    const document = await documentOf(world);
    expect(document?.['provision_state']).toBe(state);
    expect(JSON.stringify(document)).not.toMatch(/ENOSPC|logs of the ramdisk/);
  });

  it('of data that is refused are not put aside', async () => {
    await start({ collectLogs: 'always' });
    await world.ask(post(good));
    expect(await world.ask(post(good))).toMatchObject({ ok: false });
    expect(kept()).toHaveLength(1);
  });

  it('are named as they lie, also by a conductor that takes the work of another one over', async () => {
    await start();
    const read = world.memory.log.readBlob.bind(world.memory.log);
    Object.assign(world.memory.log, { readBlob: () => new Promise(() => undefined) });
    world.send(post(bad));
    await world.settle();
    await conductor.kill();
    Object.assign(world.memory.log, { readBlob: read });
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(20_000);
    expect(kept()).toEqual([[NAME, LOGS]]);
    expect((await documentOf(world))?.['last_error']).toContain(`(logs of the ramdisk: ${NAME} on conductor-1)`);
  });

  it('are in no event and no answer', async () => {
    await start({ collectLogs: 'always' });
    await world.ask(post(bad));
    const events = await world.memory.log.readStream(`node/${NODE}`, 0, 1000);
    expect(JSON.stringify([events, await documentOf(world)])).not.toContain(LOGS);
  });

  it('of a node that was removed while its data was processed are dropped', async () => {
    await start({ collectLogs: 'always' });
    const release = holdData();
    world.send(post(bad));
    await world.settle();
    await world.do(maintain());
    expect(await world.ask(removal())).toMatchObject({ ok: true });
    release();
    await world.settle();
    expect(kept()).toEqual([]);
  });

  /** Holds what reads data back, until it is released. */
  function holdData(): () => void {
    const read = world.memory.log.readBlob.bind(world.memory.log);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    Object.assign(world.memory.log, { readBlob: async (hash: string) => (await gate, read(hash)) });
    return () => release();
  }

  it('of data that takes too long are kept, and named', async () => {
    await start();
    const release = holdData();
    world.send(post(good));
    await world.settle();
    await world.clock.advanceBy(limits.workMs);
    release();
    await world.settle();
    expect(kept()).toEqual([[NAME, LOGS]]);
    expect((await documentOf(world))?.['last_error']).toMatch(/no answer within .* \(logs of the ramdisk: /);
  });

  it('of data that can not be stored are kept, and named', async () => {
    await start();
    const append = world.memory.log.append.bind(world.memory.log);
    const release = holdData();
    world.send(post(good));
    await world.settle();
    jest.spyOn(world.memory.log, 'append').mockImplementation(async (one) => {
      if ((one.blobs ?? []).length > 0) throw new Error('no room for large things');
      return append(one);
    });
    release();
    await world.clock.advanceBy(60_000);
    expect(kept()).toEqual([[NAME, LOGS]]);
    expect((await documentOf(world))?.['last_error']).toMatch(/no room for large things \(logs of the ramdisk: /);
  });

  it.each([
    ['fails as well', bad],
    ['would have liked it', good],
  ])('that another conductor has named stay where the one that stood still %s', async (_what, data) => {
    await start();
    const release = holdData();
    world.send(post(data));
    await world.settle();
    await world.memory.leases.release(null);
    Object.assign(world.memory.log, { readBlob: () => Promise.reject(new Error('the data is not there')) });
    await world.conductor({ host: 'conductor-2' });
    expect((await documentOf(world))?.['last_error']).toContain(`(logs of the ramdisk: ${NAME} on conductor-1)`);
    release();
    await world.settle();
    expect(kept()).toEqual([[NAME, LOGS]]);
  });

  it('come with the next attempt as well', async () => {
    await start();
    await world.ask(post(bad));
    await world.do(provision('inspect'));
    await world.clock.advanceBy(60_000);
    await world.ask(post(bad));
    expect(kept().map(([name]) => name)).toEqual([NAME, NAME.replace('100000', '100100')]);
    expect(await eventData(world, 'InspectionFailed')).toHaveLength(2);
  });
});
