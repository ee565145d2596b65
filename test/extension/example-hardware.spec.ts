import { join } from 'node:path';
import { loadExtensions } from '@lib/adapters/extensions';
import type { Call, Chance, Machine } from '@lib/ports';
import { ManualClock } from '@lib/testing';
import { Rack } from './rack';

const FOLDER = join(__dirname, '..', '..', 'examples', 'ferrolog-example-hardware');
const silent = () => undefined;
const chance: Chance = { uuid: () => '', bytes: (length) => new Uint8Array(length), random: () => 0 };
const logger = { debug: silent, info: silent, warn: silent, error: silent };
const call: Call = { signal: AbortSignal.timeout(20_000), stillStands: async () => undefined };
const name = 'example-rack';

describe('the example of an extension', () => {
  let rack: Rack;
  beforeAll(async () => {
    rack = await Rack.start();
  });
  afterAll(() => rack.stop());

  const opened = async () => {
    const loaded = await loadExtensions([FOLDER], { clock: new ManualClock(), chance, logger }, FOLDER);
    const inspect = loaded.interfaces.get('inspect', name);
    const power = loaded.interfaces.get('power', name);
    if (!inspect || !power) throw new Error('it brings neither');
    return { ...loaded, inspect, power };
  };
  const inSlot = (slot: unknown): Machine =>
    ({ uuid: 'node-1', driverInfo: { rack_address: rack.address, rack_slot: slot } }) as unknown as Machine;

  it('brings a hardware type with power and inspect interfaces of its own', async () => {
    const { types, interfaces, inspect } = await opened();
    expect(types.get(name)?.supports).toMatchObject({ power: [name], inspect: [name, 'agent', 'no-inspect'] });
    expect(interfaces.reporting).toEqual([name]);
    expect(inspect.facts).toMatchObject({ abort: true, hearsOfEndings: true, powerOff: 'never', takesData: false });
  });

  it('refuses machines that are in no slot', async () => {
    const { inspect, power } = await opened();
    expect(inspect.validate(inSlot(1))).toBeNull();
    for (const slot of [0, 'one', undefined]) expect(power.validate(inSlot(slot))).toContain('rack_slot');
    expect(inspect.validate({ driverInfo: {} } as unknown as Machine)).toContain('rack_address');
  });

  it('names a rack that does not answer, in words for last_error', async () => {
    const { power } = await opened();
    const address = 'http://127.0.0.1:9';
    const machine = { uuid: 'node-1', driverInfo: { rack_address: address, rack_slot: 1 } } as unknown as Machine;
    const asked = power.read(machine, call);
    await expect(asked).rejects.toThrow(`the rack at ${address} does not answer: `);
    await expect(asked).rejects.toHaveProperty('name', 'Error');
  });

  it('switches the power, and says whether anything changed', async () => {
    const { power } = await opened();
    const machine = inSlot(2);
    expect(await power.read(machine, call)).toBe('power off');
    expect(await power.change(machine, 'power on', null, call)).toEqual({ powerState: 'power on', changed: true });
    expect(await power.change(machine, 'power on', null, call)).toEqual({ powerState: 'power on', changed: false });
    expect(await power.change(machine, 'rebooting', null, call)).toEqual({ powerState: 'power on', changed: true });
  });

  it('waits for its survey, reports it, and gives the probe back under the key of the attempt [1.27]', async () => {
    const { inspect } = await opened();
    const machine = inSlot(3);
    const report = () => inspect.report?.('node-1', call, async () => machine);
    expect(await report()).toEqual({ state: 'unknown' });
    expect(await inspect.inspect(machine, call)).toEqual({ returned: 'INSPECTWAIT' });
    expect(await report()).toEqual({ state: 'running' });
    const found = { inventory: { interfaces: [] } };
    rack.end(3, { found });
    expect(await report()).toMatchObject({ state: 'ended', error: null, data: found });
    rack.end(3, { error: 'no disks' });
    expect(await report()).toMatchObject({ state: 'ended', error: 'no disks' });
    await inspect.abort?.(machine, call);
    expect(await report()).toEqual({ state: 'unknown' });
    await inspect.leftInspectWait?.(machine, { outcome: 'abort', attempt: 1, key: 'node-1/1' }, call);
    expect(rack.releases).toEqual([{ slot: '3', outcome: 'abort', key: 'node-1/1' }]);
  });
});
