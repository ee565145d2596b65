import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@lib/domain';
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
