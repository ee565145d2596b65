import type { Command } from '@lib/contracts';
import { LogUnavailable } from '@lib/ports';
import { NODE, World, creation, documentOf, patch, removal } from '../../../../test/world';

const secret = { driver_info: { password: 'x' } };
const lost = () => new LogUnavailable('the connection was lost');
const bootDevice: Command = { type: 'SetBootDevice', uuid: NODE, device: 'pxe', persistent: false };

async function worldWith(fields: Readonly<Record<string, unknown>> = {}): Promise<World> {
  const world = new World();
  await world.conductor();
  await world.do(creation(NODE, fields));
  return world;
}

/** The store commits, and its answer does not come through. */
function breakOffOnce({ memory: { log } }: World): void {
  const append = log.append.bind(log);
  jest.spyOn(log, 'append').mockImplementationOnce(async (wanted) => {
    await append(wanted);
    throw new LogUnavailable('broken off', true);
  });
}

describe('a store that fails after the append', () => {
  it('does not make "nothing happened" of a removal whose key could not be destroyed', async () => {
    const world = await worldWith(secret);
    jest.spyOn(world.memory.keyStore, 'remove').mockRejectedValueOnce(lost());
    expect(await world.ask(removal())).toEqual({ ok: true, result: {} });
    expect(await documentOf(world)).toBeNull();
    await world.stop();
  });

  it('answers a request for a peer’s word by what the log says', async () => {
    const world = await worldWith();
    const { log, store } = world.memory;
    const readStream = log.readStream.bind(log);
    let failures = 0;
    jest.spyOn(log, 'readStream').mockImplementation((...args) => {
      if (failures > 0 || store.events.at(-1)?.type !== 'BootDeviceChanged') return readStream(...args);
      failures += 1;
      return Promise.reject(lost());
    });
    expect(await world.ask(bootDevice)).toEqual({ ok: true, result: {} });
    expect(failures).toBe(1);
    await world.stop();
  });

  it('says "unknown" while not even the log can be read', async () => {
    const world = await worldWith(secret);
    jest.spyOn(world.memory.keyStore, 'remove').mockRejectedValueOnce(lost());
    jest.spyOn(world.memory.log, 'readCommand').mockRejectedValueOnce(lost());
    const reply = await world.ask(removal());
    expect(reply).toMatchObject({ ok: false, code: 'UNAVAILABLE', message: expect.stringContaining('unknown') });
    await world.stop();
  });

  it('says "nothing happened" when the log can be read and has nothing', async () => {
    const world = await worldWith(secret);
    jest.spyOn(world.memory.log, 'append').mockRejectedValueOnce(lost());
    const reply = await world.ask(removal());
    expect(reply).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('nothing happened') });
    await world.stop();
  });
});

describe('a store that breaks off while it commits', () => {
  const password = patch([{ op: 'add', path: '/driver_info/password', value: 'y' }]);

  it.each([
    ['creation', async (world: World) => world.ask(creation(NODE, secret))],
    ['patch', async (world: World) => (await world.do(creation()), breakOffOnce(world), world.ask(password))],
  ])('leaves the key of the secrets that a %s may have stored', async (what, run) => {
    const world = new World();
    await world.conductor();
    if (what === 'creation') breakOffOnce(world);
    expect(await run(world)).toEqual({ ok: true, result: {} });
    expect(world.memory.store.keys.size).toBe(1);
    expect(await world.ask(bootDevice)).toEqual({ ok: true, result: {} });
    await world.stop();
  });
});

describe('a node that another conductor removes while its secrets are opened', () => {
  it.each<Command>([bootDevice, { type: 'ReadBootDevice', uuid: NODE }])('is not there for $type', async (command) => {
    const world = new World();
    const one = await world.conductor();
    const other = await world.conductor({ host: 'conductor-2' });
    await world.do(creation(NODE, secret));
    const { keyStore } = world.memory;
    const get = keyStore.get.bind(keyStore);
    jest.spyOn(keyStore, 'get').mockImplementationOnce(async (keyId) => {
      const envelope = { commandId: 'removal', requestId: null, actor: null, command: removal() };
      expect(await other.handler.handle(envelope)).toMatchObject({ ok: true });
      return get(keyId);
    });
    expect(await world.ask(command, { to: one })).toMatchObject({ ok: false, code: 'NODE_NOT_FOUND' });
    await world.stop();
  });
});
