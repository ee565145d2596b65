import { MemoryBusHub } from '../message-bus-memory';
import { interfaceTypes, knownInterfaces } from '@lib/domain';
import type { Call, HardwareRegistry, Machine } from '@lib/ports';
import { aMachine } from '@lib/testing/a-machine';
import { ManualClock } from '@lib/testing/manual-clock';
import { openHardwareRegistry } from './index';

const quiet = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };
const chance = { uuid: () => '', bytes: () => new Uint8Array(), random: () => 0.5 };
const call: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };

const machine = aMachine();

const fakeNode = {
  bios: 'fake',
  boot: 'fake',
  console: 'fake',
  deploy: 'fake',
  firmware: 'fake',
  inspect: 'inspector',
  management: 'fake',
  network: 'noop',
  power: 'fake',
  raid: 'fake',
  rescue: 'fake',
  storage: 'noop',
  vendor: 'fake',
};

function registry(requireManagedBoot: boolean | null = null): HardwareRegistry {
  const clock = new ManualClock();
  const settings = {
    inspectDelay: { firstSeconds: 0, secondSeconds: 0 },
    inspectorTimeoutMs: 1000,
    inspectorOverHttp: null,
    requireManagedBoot,
    ramdisk: { apiUrl: 'http://192.0.2.1:6385', extraKernelParameters: [], forceDhcp: false, fastTrack: false },
    inspectorEndpoint: 'http://192.0.2.1:5050',
    pxe: { tftpRoot: '/tftp', httpRoot: '/http', httpUrl: null, deployKernel: null, deployRamdisk: null },
  };
  return openHardwareRegistry({
    bus: new MemoryBusHub(clock).open(),
    prefix: 't',
    settings,
    clock,
    chance,
    logger: quiet,
  });
}

describe('the hardware registry', () => {
  it('offers abort with the interfaces that wait, and a start to be told with inspector alone', () => {
    const names = [...knownInterfaces('inspect'), 'from another release'];
    const aborting = names.filter((name) => registry().inspect(name).abort !== undefined);
    expect(aborting).toEqual(['agent', 'inspector']);
    for (const name of names) {
      const { facts, abort, startIntrospection } = registry().inspect(name);
      expect(facts).toMatchObject({ name, abort: Boolean(abort), startsIntrospection: Boolean(startIntrospection) });
    }
  });

  it.each(['redfish', 'no-inspect', 'from another release'])('refuses to inspect with %s, naming it', async (name) => {
    const inspect = registry().inspect(name);
    expect(inspect.validate(machine)).toMatch(new RegExp(`^Driver ${name} does not support inspect`));
    await expect(inspect.inspect(machine, call)).rejects.toThrow(`Driver ${name} does not support inspect`);
  });

  it('refuses power and management of redfish, naming it', async () => {
    const power = registry().power('redfish');
    const management = registry().management('redfish');
    expect(power.validate(machine)).toMatch(/^Driver redfish does not support power/);
    await expect(power.read(machine, call)).rejects.toThrow('redfish does not support power');
    await expect(power.change(machine, 'power on', null, call)).rejects.toThrow('redfish does not support power');
    expect(management.validate(machine)).toMatch(/^Driver redfish does not support management/);
    expect(management.checkBootDevice(machine, 'pxe', false)).toMatch('redfish does not support management');
    expect(management.bootDevices(machine)).toEqual([]);
    expect(management.readBootDevice(machine)).toEqual({ boot_device: null, persistent: null });
    await expect(management.setBootDevice(machine, 'pxe', false, call)).rejects.toThrow('does not support management');
  });
});

describe('boot and network', () => {
  const driverInfo = { deploy_kernel: 'http://images/k', deploy_ramdisk: 'http://images/r' };
  const ready = { ...machine, driverInfo, ports: [{ address: '52:54:00:00:00:01', pxeEnabled: true }] };

  it.each(['ipxe', 'pxe'])('of %s boot a ramdisk where all that it takes is there', (name) => {
    expect(registry().boot(name).validateInspection(ready)).toEqual({ verdict: 'supported' });
    expect(registry().boot(name).validateInspection(machine)).toMatchObject({ verdict: 'unsupported' });
  });

  it.each(['fake', 'redfish-virtual-media', 'from another release'])('of %s boot none, naming it', async (name) => {
    const boot = registry().boot(name);
    const reason = expect.stringContaining(`Driver ${name} does not support managed boot for inspection`);
    expect(boot.validateInspection(ready)).toEqual({ verdict: 'unsupported', reason });
    await expect(boot.prepareRamdisk(ready, [], call)).rejects.toThrow(`Driver ${name} does not support`);
    await expect(boot.cleanUpRamdisk(ready, call)).resolves.toBeUndefined();
  });

  it('make the conductor the one who boots, in either in-band interface', () => {
    for (const name of ['agent', 'inspector']) {
      const inspect = registry().inspect(name);
      expect(inspect.managesBoot?.({ ...ready, bootInterface: 'ipxe' })).toBe(true);
      expect(inspect.managesBoot?.({ ...ready, bootInterface: 'ipxe', networkInterface: 'neutron' })).toBe(false);
      expect(inspect.managesBoot?.(ready)).toBe(false);
    }
  });

  it('have their verdicts on a node', () => {
    const verdicts = (one: Machine, boot: string, network = 'noop') =>
      registry().validateAll(one, { ...fakeNode, boot, network });
    expect(verdicts(ready, 'ipxe')['boot']).toEqual({ result: true });
    expect(verdicts(machine, 'ipxe')['boot']).toEqual({
      result: false,
      reason: expect.stringContaining('driver_info.deploy_kernel'),
    });
    expect(verdicts(ready, 'fake', 'neutron')['network']).toEqual({
      result: false,
      reason: expect.stringContaining('Driver neutron does not support network'),
    });
  });
});

describe('the verdicts on a node', () => {
  it('name every interface type but vendor', () => {
    const kinds = Object.keys(registry().validateAll(machine, fakeNode));
    expect(kinds).toEqual(interfaceTypes.filter((kind) => kind !== 'vendor'));
  });

  it('are all good for a fake node', () => {
    const verdicts = Object.values(registry().validateAll(machine, fakeNode));
    expect(verdicts.filter(({ result }) => !result)).toEqual([]);
    expect(verdicts[0]).toEqual({ result: true });
  });

  it('say what is wrong where an interface does not inspect', () => {
    const verdicts = registry().validateAll(machine, { ...fakeNode, inspect: 'no-inspect' });
    expect(verdicts['inspect']).toEqual({ result: false, reason: expect.stringContaining('no-inspect') });
    expect(verdicts['deploy']).toEqual({ result: true });
  });

  it('ask for an image where the node is deployed from one', () => {
    const direct = { ...fakeNode, deploy: 'direct' };
    const verdict = (instanceInfo: Record<string, unknown>) =>
      registry().validateAll({ ...machine, instanceInfo }, direct)['deploy'];
    expect(verdict({ k: 'v' })).toEqual({ result: false, reason: expect.stringContaining('image_source') });
    expect(verdict({ image_source: 'http://images/one' })).toEqual({
      result: false,
      reason: expect.stringContaining('direct does not support deploy'),
    });
  });

  it('refuse managed boot where it is required', () => {
    const inspect = (required: boolean | null) => registry(required).validateAll(machine, fakeNode)['inspect'];
    expect(inspect(true)).toEqual({ result: false, reason: expect.stringContaining('require_managed_boot') });
    expect(inspect(false)).toEqual({ result: true });
    expect(inspect(null)).toEqual({ result: true });
  });

  it('refuse managed boot of agent also where nothing is said of it', () => {
    const inspect = (required: boolean | null) =>
      registry(required).validateAll(machine, { ...fakeNode, inspect: 'agent' })['inspect'];
    expect(inspect(null)).toEqual({ result: false, reason: expect.stringContaining('require_managed_boot') });
    expect(inspect(true)).toEqual({ result: false, reason: expect.stringContaining('require_managed_boot') });
    expect(inspect(false)).toEqual({ result: true });
  });

  it('refuse the interfaces of redfish and those that stand for none', () => {
    const redfish = {
      bios: 'redfish',
      console: 'no-console',
      power: 'redfish',
      management: 'redfish',
      inspect: 'redfish',
    };
    const verdicts = registry().validateAll(machine, { ...fakeNode, ...redfish });
    for (const [kind, name] of Object.entries(redfish)) {
      expect(verdicts[kind]).toEqual({
        result: false,
        reason: expect.stringContaining(`Driver ${name} does not support ${kind}`),
      });
    }
  });
});
