import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@lib/domain';
import type { BmcMachine } from '@lib/testing/redfish-bmc';
import { Bed } from './bed';

let bed: Bed;
afterEach(() => bed.close());

const GIB = 1024 ** 3;
const inspect = (properties?: JsonObject) => bed.inspected(properties);
const system = /Systems\/1$/;

describe('out-of-band inspection', () => {
  it('tells what the BMC tells', async () => {
    bed = await Bed.open({ power: 'On' });
    const found = await inspect();
    expect(found.properties).toEqual({
      cpu_arch: 'x86_64',
      memory_mb: 65536,
      local_gb: 479,
      capabilities: 'boot_mode:uefi',
    });
    expect(found.inventory).toEqual({
      interfaces: [
        { name: 'NIC1', mac_address: '52:54:00:ab:01:01', speed_mbps: 25000 },
        { name: 'NIC2', mac_address: '52:54:00:ab:01:02', speed_mbps: 25000 },
      ],
      cpu: { count: 64, architecture: 'x86_64', model_name: 'Acme Quartz 7421', frequency: '3700' },
      memory: { physical_mb: 65536 },
      disks: [
        { name: 'Drive 0', size: 480 * GIB },
        { name: 'Drive 1', size: 960 * GIB },
      ],
      storage_controllers: [{ name: 'Acme RAID' }],
      system_vendor: {
        product_name: 'Slab 220',
        serial_number: 'PCB0001',
        manufacturer: 'Acme Iron',
        system_uuid: '6f1a2b54-0000-4000-8000-000000000001',
      },
      boot: { current_boot_mode: 'uefi' },
    });
    expect(found.nics?.valid.map(({ mac_address }) => mac_address)).toEqual(['52:54:00:ab:01:01', '52:54:00:ab:01:02']);
    expect(found.nics?.pxeMac).toBeNull();
    expect(found.pluginData).toHaveProperty('macs');
    expect(bed.bmc.requests.every(({ method, path }) => method === 'GET' || /Sessions$/.test(path))).toBe(true);
  });

  it.each([
    ['x86-64', 'x86_64'],
    ['x86', 'i686'],
    ['ARM-A64', 'aarch64'],
    ['ARM-A32', 'arm'],
    ['IA-64', 'ia64'],
    ['OEM', ''],
    [null, ''],
  ])('the instruction set %p is the architecture %p', async (instructionSet, cpu_arch) => {
    bed = await Bed.open({ processors: [{ threads: 8, instructionSet }, { threads: null }] });
    const found = await inspect();
    expect(found.properties).toMatchObject({ cpu_arch });
    expect(found.inventory).toMatchObject({ cpu: { count: 8, architecture: cpu_arch } });
  });

  it.each([
    ['the smallest drive of 4 GiB or more', { drives: [2, 900, 300, 4] }, 3],
    ['volumes before drives', { drives: [300], volumes: [100, 200] }, 99],
    ['the smaller of both kinds', { drives: [300], simple: [200] }, 199],
    ['the only kind that tells', { simple: [500] }, 499],
    ['no disk', { drives: [] }, 0],
    ['disks that are too small', { drives: [2, 3] }, 0],
    ['a drive that does not tell its size', { drives: [null, 10] }, 9],
  ])('local_gb of %s', async (_, { drives, volumes = [], simple }: Record<string, (number | null)[]>, local_gb) => {
    const sized = (sizes: (number | null)[]) =>
      sizes.map((size, index) => ({ name: `d${index}`, capacityBytes: size === null ? null : size * GIB }));
    const disks = { drives: drives ? sized(drives) : null, volumes: volumes.map((size) => (size ?? 0) * GIB) };
    const simpleStorage = simple ? sized(simple).map((one) => ({ ...one, state: 'Enabled' })) : null;
    bed = await Bed.open({ ...disks, simpleStorage });
    const found = await inspect();
    expect(found.properties).toMatchObject({ local_gb });
    expect(found.warnings.some((text) => text.includes('local_gb'))).toBe(local_gb === 0);
  });

  it('devices of simple storage that are not enabled are shown and do not count', async () => {
    const simpleStorage = [
      { name: 'a', capacityBytes: 100 * GIB, state: 'Absent' },
      { name: 'b', capacityBytes: 300 * GIB, state: 'Enabled' },
    ];
    bed = await Bed.open({ drives: null, simpleStorage });
    const found = await inspect();
    expect(found.properties).toMatchObject({ local_gb: 299 });
    expect((found.inventory['disks'] as unknown[]).length).toBe(2);
  });

  it('keeps the boot mode that an operator wrote down, and the other capabilities', async () => {
    bed = await Bed.open({ boot: { enabled: 'Disabled', target: 'None', mode: 'Legacy' } });
    expect((await inspect({ capabilities: 'boot_mode:uefi,rack:7' })).properties).not.toHaveProperty('capabilities');
    expect((await inspect({ capabilities: 'rack:7' })).properties).toMatchObject({
      capabilities: 'rack:7,boot_mode:bios',
    });
  });

  it('a sparse answer is enough for one port', async () => {
    const sparse = JSON.parse(readFileSync(join(__dirname, 'redfish-system-sparse.json'), 'utf8')) as JsonObject;
    const left = { Processors: undefined, Storage: undefined, Actions: undefined, SecureBoot: undefined };
    bed = await Bed.open({ odd: { ...left, ...sparse } });
    const found = await inspect();
    expect(found.properties).toEqual({ cpu_arch: '', memory_mb: 512, local_gb: 0 });
    expect(found.nics?.valid).toMatchObject([{ name: 'NIC1', mac_address: '52:54:00:ab:32:01', speed_mbps: null }]);
    expect(found.warnings.filter((text) => text.includes('no usable MAC'))).toHaveLength(2);
    expect(found.inventory['system_vendor']).toMatchObject({ manufacturer: 'Acme Iron' });
  });

  it('a machine that does not tell its memory has not told what is essential', async () => {
    bed = await Bed.open({ odd: { MemorySummary: undefined } });
    expect((await inspect({ memory_mb: 1 })).properties).not.toHaveProperty('memory_mb');
    const { essential } = await bed.inspect.inspect(bed.machine(), bed.call);
    expect(essential).toEqual(['memory_mb', 'local_gb', 'cpu_arch']);
  });

  it('what hooks find goes over what was measured, and they build on it', async () => {
    const hooks = ['validate-interfaces', 'cpus', 'memory', 'root-device', 'boot-mode'];
    bed = await Bed.open({}, { hooks });
    const known = { root_device: { size: 960 }, capabilities: 'rack:7,boot_mode:bios' };
    const found = await inspect(known);
    expect(found.properties).toEqual({
      cpus: 64,
      memory_mb: 65536,
      local_gb: 959,
      capabilities: 'rack:7,boot_mode:uefi',
    });
    expect(found.pluginData).toMatchObject({ root_disk: { name: 'Drive 1' } });
  });

  describe('storage controllers', () => {
    const controllers = [
      {
        name: 'Acme RAID',
        manufacturer: 'Acme Iron',
        model: 'R9',
        serialNumber: 'RC1',
        firmwareVersion: '4.1',
      },
      { name: null, model: 'Acme HBA' },
    ];

    it.each([false, true])('are told, behind a link of their own or not (%p)', async (controllersAreLinked) => {
      bed = await Bed.open({ controllers, controllersAreLinked });
      expect((await inspect()).inventory['storage_controllers']).toEqual([
        { name: 'Acme RAID', vendor: 'Acme Iron', model: 'R9', serial_number: 'RC1', firmware_version: '4.1' },
        { name: 'Acme HBA', model: 'Acme HBA' },
      ]);
    });

    it('that the BMC does not tell when asked are left out with a warning', async () => {
      bed = await Bed.open({ controllers, controllersAreLinked: true });
      bed.bmc.faults.add({ path: /Controllers$/, fault: { kind: 'status', status: 501 } });
      const found = await inspect();
      expect(found.inventory).not.toHaveProperty('storage_controllers');
      expect(found.warnings).toEqual([expect.stringMatching(/^storage controllers are left out: .*501/)]);
    });
  });

  describe('PCI devices', () => {
    it('are told as ramdisks tell them, and hooks work on them', async () => {
      bed = await Bed.open({}, { hooks: ['validate-interfaces', 'accelerators', 'pci-devices'] });
      const pciAliases = [{ vendorId: '8086', productId: '159b', name: 'twinport' }];
      const found = await bed.inspected({}, { pciAliases });
      const nic = { vendor_id: '8086', product_id: '159b', class: '020000', revision: '02' };
      expect(found.pluginData['pci_devices']).toEqual([
        { vendor_id: '10de', product_id: '1eb8', class: '030200', revision: 'a1', bus: '0000:3b:00.0' },
        nic,
        nic,
      ]);
      expect(found.properties).toMatchObject({
        capabilities: expect.stringContaining('twinport:2'),
        accelerators: [{ vendor_id: '10de', device_id: '1eb8', type: 'GPU', pci_address: '0000:3b:00.0' }],
      });
      expect(found.warnings).toEqual([]);
    });

    it('of which the BMC lists functions in the system are told once', async () => {
      const under = '/redfish/v1/Systems/1/PCIeDevices/GPU1/PCIeFunctions/1';
      bed = await Bed.open({ odd: { PCIeFunctions: [{ '@odata.id': under }] } });
      expect((await inspect()).pluginData['pci_devices']).toHaveLength(3);
      await bed.close();
      bed = await Bed.open({ odd: { PCIeDevices: undefined, PCIeFunctions: [{ '@odata.id': under }] } });
      expect((await inspect()).pluginData['pci_devices']).toMatchObject([{ vendor_id: '10de' }]);
    });

    it('that older BMCs list inside the device are told', async () => {
      const functions = [{ '@odata.id': '/old/f', Id: 'f', VendorId: '15b3', DeviceId: '1017' }];
      const PCIeDevices = [{ '@odata.id': '/old', Id: 'old', Links: { PCIeFunctions: functions } }];
      bed = await Bed.open({ odd: { PCIeDevices } });
      expect((await inspect()).pluginData['pci_devices']).toEqual([{ vendor_id: '15b3', product_id: '1017' }]);
    });

    it('without an id, or switched off, are none', async () => {
      const functions = [
        { vendorId: null, deviceId: '0x1' },
        { vendorId: '0xFFFF', deviceId: '0xFFFF' },
        { vendorId: '0x1af4', deviceId: 'odd' },
        { vendorId: '0x1af4', deviceId: '0x1041', enabled: false },
      ];
      bed = await Bed.open({ pcieDevices: [{ id: 'odd', name: 'Odd', functions }] });
      expect((await inspect()).pluginData['pci_devices']).toEqual([]);
    });

    it('of a BMC that tells of none are not there', async () => {
      bed = await Bed.open({ pcieDevices: null }, { hooks: ['validate-interfaces', 'accelerators'] });
      const found = await inspect();
      expect(found.pluginData).not.toHaveProperty('pci_devices');
      expect(found.warnings).toEqual(['accelerators: the data has no PCI devices']);
    });

    it.each([
      ['refuses to tell', { kind: 'status', status: 404 }],
      ['tells no JSON', { kind: 'malformed' }],
    ] as const)('of a BMC that %s are left out with a warning', async (_, fault) => {
      bed = await Bed.open();
      bed.bmc.faults.add({ path: /PCIeDevices\/GPU1$/, fault });
      const found = await inspect();
      expect(found.pluginData).not.toHaveProperty('pci_devices');
      expect(found.pluginData).toHaveProperty('parsed_lldp');
      expect(found.warnings).toEqual([expect.stringMatching(/^PCI devices are left out: /)]);
    });

    it('of a BMC that is out of reach meanwhile fail the inspection', async () => {
      bed = await Bed.open({}, { connectionAttempts: 2, connectionRetryMs: 0 });
      bed.bmc.faults.add({ path: /PCIeDevices\/GPU1$/, fault: { kind: 'half answer' } });
      await expect(inspect()).rejects.toThrow('could not be reached');
    });
  });

  describe('what switches tell', () => {
    const leaf = {
      switch_chassis_id: '88:5a:92:00:10:01',
      switch_port_id: 'Ethernet1/7',
      switch_system_name: 'leaf-7',
      switch_system_description: 'Acme Fabric 9',
    };

    it('is kept by the name of the interface, and becomes the link of its port', async () => {
      bed = await Bed.open({}, { hooks: ['validate-interfaces', 'ports', 'local-link-connection', 'parse-lldp'] });
      const found = await inspect();
      expect(found.pluginData['parsed_lldp']).toEqual({ NIC1: leaf });
      expect(Object.fromEntries(found.facts ?? [])).toEqual({
        '52:54:00:ab:01:01': {
          localLink: { switch_id: '88:5a:92:00:10:01', port_id: 'Ethernet1/7', switch_info: 'leaf-7' },
        },
      });
    });

    it('at a port that is no interface of the system is kept by the port', async () => {
      const lldp = { chassisId: 'cabinet 9', chassisIdSubtype: 'LocalAssign', portId: '88-5A-92-00-10-02' };
      const ports = [{ id: '4', macs: [], lldp: { ...lldp, portIdSubtype: 'MacAddr' } }];
      bed = await Bed.open({ chassis: { adapters: [{ id: 'Slot7', ports }] } });
      expect((await inspect()).pluginData['parsed_lldp']).toEqual({
        'Slot7/4': { switch_chassis_id: 'cabinet 9', switch_port_id: '88:5a:92:00:10:02' },
      });
    });

    it.each<[string, BmcMachine['chassis']]>([
      ['no chassis', null],
      ['a chassis without adapters', { adapters: null }],
    ])('is not there where the BMC has %s', async (_, chassis: BmcMachine['chassis']) => {
      bed = await Bed.open({ chassis });
      const found = await inspect();
      expect(found.pluginData).not.toHaveProperty('parsed_lldp');
      expect(found.warnings).toEqual([]);
    });

    it('is left out with a warning where the BMC refuses to tell', async () => {
      bed = await Bed.open();
      bed.bmc.faults.add({ path: /Ports$/, fault: { kind: 'status', status: 400, message: 'Not licensed.' } });
      const found = await inspect();
      expect(found.pluginData).not.toHaveProperty('parsed_lldp');
      expect(found.warnings).toEqual([expect.stringMatching(/words of switches are left out: .*400 Not licensed/)]);
    });
  });

  it('a machine without interfaces fails as something unexpected', async () => {
    bed = await Bed.open({ nics: null });
    await expect(inspect()).rejects.toThrow(/Unexpected exception.*EthernetInterfaces/);
  });

  it('a machine whose NICs have no MAC fails in the hooks', async () => {
    bed = await Bed.open({ nics: [{ id: 'NIC1', mac: '' }] });
    await expect(inspect()).rejects.toThrow(/hooks: validate-interfaces/);
  });

  it('gets over troubles on the way', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: system, times: 1, fault: { kind: 'status', status: 500 } });
    bed.bmc.faults.add({ path: /Processors\/1$/, times: 3, fault: { kind: 'status', status: 503 } });
    bed.bmc.faults.add({ path: /Drives\/1$/, times: 1, fault: { kind: 'half answer' } });
    bed.bmc.faults.add({ path: /NIC1$/, times: 1, fault: { kind: 'status', status: 401 } });
    expect((await inspect()).properties).toMatchObject({ memory_mb: 65536 });
  });

  it('fails on what is no JSON', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: /Processors$/, fault: { kind: 'malformed' } });
    await expect(inspect()).rejects.toThrow('no JSON object');
  });

  it('stops when the inspection no longer stands', async () => {
    bed = await Bed.open();
    let left = 3;
    const stillStands = async () => {
      left -= 1;
      if (left < 0) throw new Error('it is gone');
    };
    const gone = bed.inspect.inspect(bed.machine(), { ...bed.call, stillStands });
    await expect(gone).rejects.toThrow('it is gone');
    expect(bed.bmc.asked('GET').length).toBeLessThan(5);
  });
});
