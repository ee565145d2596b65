import type { JsonObject } from '../json';
import { withCapabilities } from './capabilities';
import { defaultHookOptions, type HookOptions } from './options';
import { portChanges } from './ports';
import { failAsScripted, preprocessData, processData, withoutLogs } from './processing';

const disk = { name: '/dev/sda', size: 107374182400, serial: 'S1', model: 'Example', rotational: false };
const nic = (name: string, mac: string, ip: string | null = null) => ({ name, mac_address: mac, ipv4_address: ip });
const payload = (changes: JsonObject = {}, inventory: JsonObject = {}): JsonObject => ({
  inventory: {
    interfaces: [nic('eth0', '52:54:00:12:34:46', '192.0.2.10'), nic('eth1', '52:54:00:12:34:47')],
    cpu: { count: 4, architecture: 'x86_64', flags: ['vmx', 'aes'] },
    memory: { physical_mb: 8192 },
    disks: [disk],
    boot: { pxe_interface: '52:54:00:12:34:46' },
    bmc_address: '192.0.2.1',
    ...inventory,
  },
  root_disk: disk,
  boot_interface: '01-52-54-00-12-34-46',
  error: null,
  ...changes,
});
const options = (changes: Partial<HookOptions> = {}): HookOptions => ({ ...defaultHookOptions, ...changes });

describe('the first pass of the hooks', () => {
  it('adds the interface maps, the MACs and the BMC addresses', () => {
    const { data, attributes, failures } = preprocessData(payload(), options());
    expect(failures).toEqual([]);
    const eth0 = { ip: '192.0.2.10', mac: '52:54:00:12:34:46', client_id: null, pxe: true };
    expect(data).toMatchObject({
      interfaces: { eth0 },
      macs: ['52:54:00:12:34:46'],
      ipmi_address: '192.0.2.1',
      ipmi_v6address: null,
    });
    expect(Object.keys(data['all_interfaces'] as object)).toEqual(['eth0', 'eth1']);
    expect(attributes).toEqual({ macs: ['52:54:00:12:34:46'], bmcAddresses: ['192.0.2.1'] });
  });

  it('gathers every complaint', () => {
    expect(preprocessData({ error: 'disk on fire' }, options()).failures).toEqual([
      expect.stringContaining('disk on fire'),
      expect.stringContaining('no inventory'),
    ]);
    expect(preprocessData(payload({}, { interfaces: [] }), options()).failures).toHaveLength(1);
  });

  it.each([
    ['pxe', {}, ['eth0']],
    ['all', {}, ['eth0', 'eth1']],
    ['active', {}, ['eth0']],
    ['pxe', { boot: {} }, ['eth0']],
  ] as const)('add_ports = %s (%j) takes %j', (addPorts, inventory, names) => {
    const boot = 'boot' in inventory ? { boot_interface: null } : {};
    const { nics } = preprocessData(payload(boot, inventory), options({ addPorts }));
    expect([...nics.valid.keys()]).toEqual(names);
  });

  it('leaves out loopback, nameless and odd interfaces, and lower-cases MACs', () => {
    const interfaces = [
      nic('lo', '00:00:00:00:00:00', '127.0.0.1'),
      nic('', '52:54:00:00:00:01'),
      nic('fc0', '50:06:01:60:3b:e0:12:aa'),
      null,
      nic('eth9', '52:54:00:AB:22:01', '192.0.2.9'),
    ];
    const { nics, data } = preprocessData(
      payload({ boot_interface: null }, { interfaces, boot: null }),
      options({ addPorts: 'all' }),
    );
    expect(data['macs']).toEqual(['52:54:00:ab:22:01']);
    expect(nics.skipped).toHaveLength(3);
  });

  it('keeps a NIC called __proto__ as data', () => {
    const interfaces = [nic('__proto__', '52:54:00:00:00:01', '192.0.2.2')];
    const { data } = preprocessData(payload({}, { interfaces }), options({ addPorts: 'all' }));
    expect(Object.keys(data['interfaces'] as object)).toEqual(['__proto__']);
  });
});

describe('the second pass of the hooks', () => {
  const run = (body: JsonObject, properties: JsonObject = {}, changes: Partial<HookOptions> = {}) =>
    processData(preprocessData(body, options(changes)).data, { properties }, options(changes));

  it('writes texts to the node and numbers to the data', () => {
    const { data, properties } = run(payload());
    expect(properties).toEqual({
      local_gb: '99',
      cpus: '4',
      cpu_arch: 'x86_64',
      memory_mb: '8192',
      capabilities: 'cpu_vt:true,cpu_aes:true',
    });
    expect(data).toMatchObject({ local_gb: 99, cpus: 4, cpu_arch: 'x86_64', memory_mb: 8192, root_disk: disk });
  });

  it('only warns about missing memory', () => {
    const { properties, warnings } = run(payload({}, { memory: undefined }));
    expect(properties).not.toHaveProperty('memory_mb');
    expect(warnings).toEqual([expect.stringContaining('memory_mb')]);
  });

  it('writes no capabilities when the CPU names none', () => {
    const body = payload({}, { cpu: { count: 1, architecture: 'x86_64' } });
    expect(run(body).properties).not.toHaveProperty('capabilities');
  });

  it('keeps other capabilities and fails on a malformed string', () => {
    expect(run(payload(), { capabilities: 'boot_mode:uefi,cpu_vt:false' }).properties['capabilities']).toBe(
      'boot_mode:uefi,cpu_vt:true,cpu_aes:true',
    );
    expect(() => run(payload(), { capabilities: 'nonsense' })).toThrow(/nonsense/);
    expect(withCapabilities(null, [['a', '1']])).toBe('a:1');
  });

  it.each([
    [{ name: '/dev/sdb' }, 'S2'],
    [{ size: '>= 200' }, 'S2'],
    [{ model: '<or> other <or> EXAMPLE' }, 'S1'],
    [{ serial: 's== s2', rotational: 'true' }, 'S2'],
  ])('chooses the root disk by hints %j', (hints, serial) => {
    const disks = [disk, { ...disk, name: '/dev/sdb', size: 2 * disk.size, serial: 'S2', rotational: true }];
    expect(run(payload({}, { disks }), { root_device: hints }).data['root_disk']).toMatchObject({ serial });
  });

  it('fails when no disk fits the hints, and writes 0 GB without a disk', () => {
    expect(() => run(payload(), { root_device: { serial: 'nope' } })).toThrow(/root_disk_selection/);
    expect(run(payload({ root_disk: null })).properties['local_gb']).toBe('0');
  });

  it('counts PCI devices that have an alias', () => {
    const pciAliases = [{ vendorId: '10de', productId: '20f1', name: 'gpu' }];
    const device = { vendor_id: '10de', product_id: '20f1' };
    expect(
      run(payload({ pci_devices: [device, device, {}] }), {}, { pciAliases }).properties['capabilities'],
    ).toContain('gpu:2');
  });

  it('fails as the script says, and only then', () => {
    expect(() => failAsScripted({ scripted_failure: 'disk on fire' })).toThrow('disk on fire');
    expect(() => failAsScripted({})).not.toThrow();
    expect(withoutLogs({ logs: 'x', a: 1 })).toEqual({ a: 1 });
  });
});

describe('what becomes of the ports', () => {
  const nics = (changes: Partial<HookOptions> = {}) => preprocessData(payload(), options(changes)).nics;
  const port = (uuid: string, address: string, pxeEnabled: boolean) => ({ uuid, address, pxeEnabled });

  it('leaves a matching port alone', () => {
    const changes = portChanges(nics(), [port('p', '52:54:00:12:34:46', true)], options());
    expect(changes).toEqual({ create: [], setPxeEnabled: [], remove: [] });
  });

  it('creates what is missing and corrects pxe_enabled', () => {
    const changes = portChanges(
      nics({ addPorts: 'all' }),
      [port('p', '52:54:00:12:34:47', true)],
      options({ addPorts: 'all' }),
    );
    expect(changes.create).toEqual([{ address: '52:54:00:12:34:46', pxeEnabled: true, clientId: null }]);
    expect(changes.setPxeEnabled).toEqual([{ uuid: 'p', pxeEnabled: false }]);
  });

  it('removes what keep_ports does not keep', () => {
    const ports = [port('gone', '52:54:00:99:99:99', false), port('there', '52:54:00:12:34:47', false)];
    const removed = (keepPorts: HookOptions['keepPorts']) => portChanges(nics(), ports, options({ keepPorts })).remove;
    expect([removed('all'), removed('present'), removed('added')]).toEqual([[], ['gone'], ['gone', 'there']]);
    expect(portChanges(nics(), ports, options({ addPorts: 'disabled' })).create).toEqual([]);
  });
});
