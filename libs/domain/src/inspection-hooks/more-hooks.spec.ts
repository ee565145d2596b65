import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newPortDocument } from '../port';
import { hookNames, hooksProblem, runHooks, wishedChanges } from '.';
import type { HookInput, HookOptions } from '.';

const options: HookOptions = { addPorts: 'all', keepPorts: 'all', updatePxeEnabled: true };
const A = '52:54:00:00:00:0a';
const B = '52:54:00:00:00:0b';

interface Given {
  readonly inventory?: object;
  readonly data?: object;
  readonly options?: Partial<HookOptions>;
  readonly properties?: HookInput['properties'];
  readonly previous?: HookInput['previous'];
}

const run = (names: readonly string[], given: Given) =>
  runHooks(
    names,
    { ...given.data },
    {
      inventory: { interfaces: [{ name: 'eth0', mac_address: A }], ...given.inventory },
      properties: given.properties,
      previous: given.previous,
      options: { ...options, ...given.options },
    },
  );

function good(names: readonly string[], given: Given) {
  const result = run(names, given);
  if (!result.ok) throw new Error(result.reason);
  return result;
}
const reason = (names: readonly string[], given: Given): string => {
  const result = run(names, given);
  return result.ok ? 'it was fine' : result.reason;
};

describe('the examples of the contract', () => {
  interface Expectation {
    readonly properties_if_hook_enabled: Readonly<Record<string, object>>;
  }
  const read = <T>(path: string): T =>
    JSON.parse(readFileSync(join(__dirname, '../../../../test/contract-data/examples', path), 'utf8')) as T;
  const expected = read<Record<string, Expectation>>('expected-results.json');
  const files = Object.keys(expected).filter((file) => expected[file]?.properties_if_hook_enabled);

  it.each(files)('%s', (file) => {
    const { inventory, ...data } = read<Record<string, unknown> & { inventory: object }>(file);
    for (const [hook, properties] of Object.entries(expected[file]!.properties_if_hook_enabled)) {
      const name = hook.replace(' (no hints)', '');
      expect([hook, good([name], { inventory, data }).properties]).toEqual([hook, properties]);
    }
  });

  it('inventory-large.json: what its switches and its PCI devices tell', () => {
    const { inventory, ...data } = read<Record<string, unknown> & { inventory: object }>('inventory-large.json');
    const hooks = ['validate-interfaces', 'local-link-connection', 'parse-lldp', 'accelerators'];
    const { facts, pluginData, properties } = good(hooks, { inventory, data });
    const parsed = pluginData['parsed_lldp'] as Record<string, unknown>;
    expect(parsed['ens1f0']).toEqual({
      switch_chassis_id: '02:aa:bb:cc:01:00',
      switch_port_id: 'Ethernet1/1',
      switch_ttl: 120,
      switch_system_name: 'leaf-01.example.net',
      switch_port_untagged_vlan_id: 100,
    });
    expect([...facts.values()]).toContainEqual({
      localLink: { switch_id: '02:aa:bb:cc:01:00', port_id: 'Ethernet1/1', switch_info: 'leaf-01.example.net' },
    });
    expect((properties['accelerators'] as unknown[]).length).toBeGreaterThan(0);
  });
});

describe('what a BMC tells of switches in words', () => {
  const inventory = {
    interfaces: [
      { name: 'NIC1', mac_address: '52:54:00:ab:01:01' },
      { name: 'NIC2', mac_address: '52:54:00:ab:01:02', lldp: [[5, '6c6561662d32']] },
      { name: 'NIC3', mac_address: '52:54:00:ab:01:03' },
    ],
  };
  const leaf = { switch_chassis_id: '88:5a:92:00:10:01', switch_port_id: 'Ethernet1/7', switch_system_name: 'leaf-7' };
  const known = { NIC1: leaf, NIC2: leaf, NIC3: { switch_chassis_id: 'cabinet 9' }, 'Twinport/4': leaf, odd: 7 };
  const hooks = ['validate-interfaces', 'local-link-connection', 'parse-lldp'];

  it('is the link of a port as what a ramdisk heard is, which goes before it', () => {
    const { facts } = good(hooks, { inventory, data: { parsed_lldp: known } });
    expect(Object.fromEntries(facts)).toEqual({
      '52:54:00:ab:01:01': {
        localLink: { switch_id: '88:5a:92:00:10:01', port_id: 'Ethernet1/7', switch_info: 'leaf-7' },
      },
      '52:54:00:ab:01:02': { localLink: { switch_info: 'leaf-2' } },
    });
  });

  it('stays with the data, of ports that have no name in the inventory too', () => {
    const { pluginData } = good(hooks, { inventory, data: { parsed_lldp: known } });
    expect(pluginData['parsed_lldp']).toEqual({
      NIC1: leaf,
      NIC2: { switch_system_name: 'leaf-2' },
      NIC3: { switch_chassis_id: 'cabinet 9' },
      'Twinport/4': leaf,
    });
  });

  it.each([7, [], null, 'leaf'])('is nothing where it is %j', (parsed_lldp) => {
    const { facts, pluginData } = good(['validate-interfaces', 'local-link-connection'], {
      inventory: { interfaces: [inventory.interfaces[0]] },
      data: { parsed_lldp },
    });
    expect(facts.size).toBe(0);
    expect(pluginData['parsed_lldp']).toEqual(parsed_lldp);
  });
});

describe('boot-mode and CPU flags', () => {
  it('set capabilities beside those that are there', () => {
    const properties = { capabilities: 'a:b,boot_mode:bios' };
    const inventory = { boot: { current_boot_mode: 'uefi' }, cpu: { flags: ['vmx', 'svm', 'aes', 'other'] } };
    expect(good(['boot-mode', 'cpu-capabilities'], { inventory, properties }).properties).toEqual({
      capabilities: 'a:b,boot_mode:uefi,cpu_vt:true,cpu_aes:true',
    });
    const cpuCapabilities = { other: 'special' };
    expect(good(['cpu-capabilities'], { inventory, options: { cpuCapabilities } }).properties).toEqual({
      capabilities: 'special:true',
    });
  });

  it.each([['boot-mode'], ['cpu-capabilities']])('%s warns when the inventory does not say', (hook) => {
    expect(good([hook], {})).toMatchObject({ properties: {}, warnings: [expect.stringContaining(hook)] });
  });

  it('are an error where what is there is malformed', () => {
    const given = { inventory: { boot: { current_boot_mode: 'uefi' } }, properties: { capabilities: 'nonsense' } };
    expect(reason(['boot-mode'], given)).toMatch(/^boot-mode: .*nonsense/);
  });
});

describe('cpus and memory', () => {
  it.each<[object, object]>([
    [{ cpu: { count: 16 } }, { cpus: 16 }],
    [{ cpu: { count: '16' } }, { cpus: 16 }],
    [{ cpu: { count: 0 } }, {}],
    [{ cpu: {} }, {}],
    [{}, {}],
  ])('%j: %j', (inventory, properties) => {
    const result = good(['cpus'], { inventory });
    expect([result.properties, result.warnings.length]).toEqual([properties, 'cpus' in properties ? 0 : 1]);
  });

  it('memory is a whole number of megabytes, and missed when it is not there', () => {
    expect(good(['memory'], { inventory: { memory: { physical_mb: 4096 } } }).properties).toEqual({ memory_mb: 4096 });
    expect(reason(['memory'], { inventory: { memory: {} } })).toMatch(/^memory: /);
  });
});

describe('extra-hardware', () => {
  const data = [
    ['cpu', 'logical', 'number', '64'],
    ['cpu', 'logical', 'flags', 'fpu'],
    ['cpu'],
    [],
    [1, 2, 3, 4, 5],
    null,
    'text',
  ];

  it('PAY-12: becomes a tree, whole numbers become such, and malformed records are left out with a warning', () => {
    const { pluginData, warnings } = good(['extra-hardware'], { data: { data, other: 1 } });
    expect(pluginData).toEqual({ other: 1, extra: { cpu: { logical: { number: 64, flags: 'fpu' } } } });
    expect(warnings).toEqual([expect.stringContaining('5 malformed records')]);
  });

  it('is kept as it came where the option is strict', () => {
    const result = good(['extra-hardware'], { data: { data }, options: { extraHardwareStrict: true } });
    expect([result.pluginData, result.warnings.length]).toEqual([{ data }, 1]);
  });

  it('does not reach prototypes', () => {
    good(['extra-hardware'], { data: { data: [['__proto__', 'polluted', 'x', '1']] } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('PCI devices', () => {
  const pciDevices = [
    { vendor_id: '10de', product_id: '1eb8', bus: '0000:01:00.0' },
    { vendor_id: '10de', product_id: '1eb8', bus: '0000:02:00.0' },
    { vendor_id: '8086', product_id: '1521', bus: '0000:03:00.0' },
    null,
  ];
  const alias = (vendorId: string, productId: string, name: string) => ({ vendorId, productId, name });

  it('are counted by their aliases', () => {
    const pciAliases = [alias('10de', '1eb8', 'gpu'), alias('8086', '1521', 'gpu'), alias('1', '2', 'none')];
    expect(good(['pci-devices'], { data: { pci_devices: pciDevices }, options: { pciAliases } }).properties).toEqual({
      capabilities: 'gpu:3',
    });
  });

  it('that are accelerators are listed, and an empty list where none is', () => {
    const [first] = good(['accelerators'], { data: { pci_devices: pciDevices } }).properties[
      'accelerators'
    ] as unknown[];
    expect(first).toMatchObject({ vendor_id: '10de', device_id: '1eb8', type: 'GPU', pci_address: '0000:01:00.0' });
    expect(good(['accelerators'], { data: { pci_devices: [] } }).properties).toEqual({ accelerators: [] });
  });

  it.each(['pci-devices', 'accelerators'])('%s warns without data of them', (hook) => {
    expect(good([hook], {})).toMatchObject({ properties: {}, warnings: [expect.stringContaining(hook)] });
  });
});

describe('what is found out about ports', () => {
  const raw = (chassis: string, port = '0545') => [
    [1, chassis],
    [2, port],
    [5, '6c656166'],
    [0, ''],
    [5, '6f74686572'],
  ];
  const hooks = ['validate-interfaces', 'ports', 'local-link-connection'];

  function changes(names: readonly string[], given: Given, own: Parameters<typeof wishedChanges>[1]) {
    const { ports: nics, facts } = good(names, given);
    return wishedChanges({ nics, facts, edits: new Map() }, own, new Set(), { ...options, ...given.options });
  }
  const port = (rest: object = {}) => newPortDocument({ address: A, ...rest }, 'n', 'p');

  it('goes to new and known ports, and keeps what a port knows', () => {
    const data = { lldp_raw: { eth0: raw('0402aabbcc0100') } };
    const link = { switch_id: '02:aa:bb:cc:01:00', port_id: 'E', switch_info: 'leaf' };
    expect(changes(hooks, { data }, []).create).toMatchObject([{ address: A, local_link_connection: link }]);
    const known = port({ local_link_connection: { switch_id: 'aa:aa:aa:aa:aa:aa', port_id: 'mine' } });
    expect(changes(hooks, { data }, [known]).change).toMatchObject([
      { local_link_connection: { switch_id: 'aa:aa:aa:aa:aa:aa', port_id: 'mine', switch_info: 'leaf' } },
    ]);
  });

  it('comes from the NIC where the data has nothing raw', () => {
    const interfaces = [{ name: 'eth0', mac_address: A, lldp: raw('0402aabbcc0100') }];
    expect(changes(hooks, { inventory: { interfaces } }, []).create[0]?.local_link_connection).toMatchObject({
      port_id: 'E',
    });
  });

  it.each([
    ['a chassis that is no MAC', raw('0773776974636831')],
    ['half of it', [[5, '6c656166']]],
    ['nonsense', [null, 'x', [1], [1, 'zz'], ['a', '00']]],
  ])('is nothing of use in %s', (_, told) => {
    expect(changes(hooks, { data: { lldp_raw: { eth0: told } } }, []).create[0]?.local_link_connection ?? {}).toEqual(
      {},
    );
  });

  it('tells the physical network by the address, IPv4 first', () => {
    const physicalNetworks = [
      { subnet: '2001:db8::/64', network: 'six' },
      { subnet: '192.0.2.0/24', network: 'four' },
    ];
    const interfaces = [
      { name: 'eth0', mac_address: A, ipv4_address: '192.0.2.7', ipv6_address: '2001:db8::7' },
      { name: 'eth1', mac_address: B, ipv4_address: '198.51.100.1', ipv6_address: '2001:db8::8' },
      { name: 'eth2', mac_address: '52:54:00:00:00:0c' },
    ];
    const names = ['validate-interfaces', 'ports', 'physical-network'];
    const { create } = changes(names, { inventory: { interfaces }, options: { physicalNetworks } }, []);
    expect(create.map(({ physical_network: network }) => network)).toEqual(['four', 'six', undefined]);
  });

  it('is parsed for at most 64 NICs', () => {
    const nics = Array.from({ length: 70 }, (_, n) => `eth${n}`);
    const interfaces = nics.map((name) => ({ name, lldp: raw('0402aabbcc0100') }));
    const { pluginData, warnings } = good(['parse-lldp'], { inventory: { interfaces } });
    expect(Object.keys(pluginData['parsed_lldp'] as object)).toHaveLength(64);
    expect(warnings).toHaveLength(1);
  });
});

describe('disks', () => {
  const GIB = 1024 ** 3;
  const disk = (serial: string, size: unknown, rest: object = {}) => ({
    name: `/dev/${serial}`,
    serial,
    size,
    ...rest,
  });
  const disks = [disk('s1', 100 * GIB, { rotational: true }), disk('s2', 200 * GIB, { rotational: false })];

  it.each<[hints: object, expected: string | null]>([
    [{ root_device: { size: '> 150' } }, 's2'],
    [{ root_device: { size: 100 } }, 's1'],
    [{ root_device: { serial: 'S2', rotational: false } }, 's2'],
    [{ root_device: { name: '<in> s1' } }, 's1'],
    [{ root_device: { size: '>= 100' }, skip_block_devices: [{ serial: 's1' }] }, 's2'],
    [{}, 's1'],
    [{ skip_block_devices: [{ serial: 's1' }] }, null],
  ])('root-device with %j is %s', (properties, serial) => {
    const { pluginData, properties: found } = good(['root-device'], {
      inventory: { disks },
      data: { root_disk: serial === null || 'root_device' in properties ? disks[0] : disks[0] },
      properties: { ...properties },
    });
    const size = serial === 's1' ? 99 : serial === 's2' ? 199 : 0;
    expect(found).toEqual({ local_gb: size });
    if (serial !== null) expect(pluginData['root_disk']).toMatchObject({ serial });
  });

  it.each<[object, string]>([
    [{ root_device: { serial: 'nowhere' } }, 'no disk satisfies'],
    [{ root_device: 'first' }, 'no object of hints'],
    [{ skip_block_devices: 'all' }, 'no list'],
    [{ skip_block_devices: ['s1'] }, 'no object of hints'],
  ])('root-device with %j fails', (properties, text) => {
    expect(reason(['root-device'], { inventory: { disks }, properties: { ...properties } })).toContain(text);
  });

  it.each<[unknown, number]>([
    [0, 0],
    ['480103981056', 446],
    [undefined, 0],
    [GIB / 2, 0],
  ])('PAY-06: a root disk of the size %j makes local_gb %i, never less than none', (size, localGb) => {
    const data = { root_disk: disk('s', size) };
    expect(good(['root-device'], { data }).properties).toEqual({ local_gb: localGb });
    const spaced = good(['root-device'], { data, options: { diskPartitioningSpacing: false } }).properties;
    expect(spaced).toEqual({ local_gb: localGb === 446 ? 447 : 0 });
  });

  it.each<[previous: readonly string[] | null, properties: object, expected: object]>([
    [['s1'], {}, { root_device: { serial: 's2' } }],
    [['s1', 's2'], {}, {}],
    [['other'], {}, {}],
    [[], {}, {}],
    [null, {}, {}],
    [['s1'], { root_device: { size: 1 } }, {}],
  ])('raid-device: where %j was before, with %j, it sets %j', (before, properties, expected) => {
    const previous = before && { disks: before.map((serial) => ({ serial })) };
    expect(good(['raid-device'], { inventory: { disks }, previous, properties: { ...properties } }).properties).toEqual(
      expected,
    );
  });
});

describe('all hooks together', () => {
  it('run in the order of their names here, since none needs a later one', () => {
    expect(hooksProblem(hookNames)).toBeNull();
    for (const name of ['local-link-connection', 'physical-network'])
      expect(hooksProblem([name])).toContain('validate-interfaces before it');
  });

  it('never change the inventory', () => {
    const inventory = { disks: [], cpu: { architecture: 'x', count: 1, flags: ['vmx'] }, memory: { physical_mb: 1 } };
    const before = JSON.stringify(inventory);
    good(hookNames, { inventory, data: { pci_devices: [], data: [['a', 'b', 'c', 'd']] } });
    expect(JSON.stringify(inventory)).toBe(before);
  });
});
