import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@lib/contracts';
import { hookNames } from '@lib/domain';
import type { HookOptions, PortDocument } from '@lib/domain';
import { lookupBmcAddresses } from '@lib/adapters/inspect-inspector';
import type { Asked } from '../../../../test/world';
import { NODE, World, documentOf, uuidOf, waiting } from '../../../../test/world';

/** Bodies in the shape of those that people really post, each with what is to become of it. */
const read = <T>(file: string): T =>
  JSON.parse(readFileSync(join(__dirname, '../../../../test/contract-data/field-cases', file), 'utf8')) as T;

type Body = Record<string, unknown> & { readonly inventory: Record<string, unknown> };

const PORT = uuidOf(500);

describe('field cases', () => {
  let world: World;
  beforeEach(() => (world = new World()));
  afterEach(() => world.stop());

  /** A node that waits and owns a port with this MAC; then the file is posted. */
  async function posted(
    file: string,
    mac: string,
    rest: { hooks?: readonly string[]; properties?: object } & Partial<HookOptions> = {},
  ) {
    const { hooks, properties, ...hookOptions } = rest;
    await world.conductor({ inspection: { hookOptions, ...(hooks ? { hooks } : {}) } });
    await waiting(world, NODE, { inspect_interface: 'agent', ...(properties ? { properties } : {}) });
    await world.do({
      type: 'CreateResource',
      kind: 'port',
      minor: 82,
      uuid: PORT,
      nodeUuid: NODE,
      fields: { address: mac },
    });
    const { inventory, ...pluginData } = read<Body>(file);
    const command: Command = {
      type: 'ContinueInspection',
      uuid: uuidOf(900),
      askedNode: null,
      inventory,
      pluginData,
      tokenDigest: null,
    };
    return world.ask(command);
  }

  async function ports(): Promise<PortDocument[]> {
    const where = [{ column: 'node_uuid', is: 'equal', value: NODE }] as const;
    const list = await world.memory.readModel.list({
      kind: 'port',
      where,
      sort: { column: 'seq', descending: false },
      limit: 100,
    });
    return (list ?? []).map(({ json }) => JSON.parse(json) as PortDocument);
  }

  async function pluginData(): Promise<Record<string, unknown>> {
    const [row] = await world.memory.readModel.get('node_inventory', [NODE]);
    const { plugin_data: hash } = JSON.parse(row?.json ?? '{}') as { plugin_data: string };
    const bytes = await world.memory.readModel.readBlob(hash);
    return JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as Record<string, unknown>;
  }

  const accepted = { ok: true, result: { uuid: NODE } };
  const addresses = async () => (await ports()).map(({ address }) => address);
  const state = async () => (await documentOf(world))?.['provision_state'];

  it('inventory-bad-nics.json: ports only for usable addresses, one each, and warnings for the rest', async () => {
    expect(await posted('inventory-bad-nics.json', '52:54:00:ab:22:01', { addPorts: 'all' })).toMatchObject(accepted);
    expect([await state(), await addresses()]).toEqual(['manageable', ['52:54:00:ab:22:01']]);
    const [odd] = world.records.filter(({ text }) => text.includes('odd'));
    const warned = odd?.fields['warnings'] as readonly string[];
    for (const name of ['fc0', 'eth1', 'eth4', 'eth5', 'without a name']) {
      expect(warned.filter((warning) => warning.includes(name))).toHaveLength(1);
    }
  });

  it('inventory-bmc-null.json: manageable', async () => {
    expect(await posted('inventory-bmc-null.json', '52:54:00:ab:20:01')).toMatchObject(accepted);
    expect(await state()).toBe('manageable');
  });

  it('inventory-extra-hardware-odd.json: unknown keys are kept, and a known local_gb survives', async () => {
    const properties = { local_gb: 446 };
    expect(await posted('inventory-extra-hardware-odd.json', '52:54:00:ab:25:01', { properties })).toMatchObject(
      accepted,
    );
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'manageable',
      properties: { local_gb: 446, cpu_arch: 'x86_64' },
    });
    const { data, configuration } = read<Body>('inventory-extra-hardware-odd.json');
    expect(await pluginData()).toMatchObject({ data, configuration, local_gb: -1 });
  });

  it('inventory-extra-hardware-odd.json with every hook: bad records are dropped, and local_gb is never negative', async () => {
    const hooks = hookNames.filter((name) => name !== 'architecture');
    const properties = { capabilities: 'kept:yes' };
    expect(await posted('inventory-extra-hardware-odd.json', '52:54:00:ab:25:01', { hooks, properties })).toMatchObject(
      accepted,
    );
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'manageable',
      properties: {
        local_gb: 0,
        cpus: 64,
        memory_mb: 262_144,
        capabilities: 'kept:yes,boot_mode:uefi,cpu_aes:true',
      },
    });
    const { configuration } = read<Body>('inventory-extra-hardware-odd.json');
    const stored = await pluginData();
    expect(stored).toMatchObject({ extra: { cpu: { logical: { number: 64 } } }, configuration });
    expect(stored).not.toHaveProperty('data');
  });

  it('inventory-infiniband.json: the long address is nobody, and ib1 has its client id', async () => {
    expect(await posted('inventory-infiniband.json', '52:54:00:ab:10:01', { addPorts: 'all' })).toMatchObject(accepted);
    expect(await state()).toBe('manageable');
    expect((await ports()).map(({ address, extra }) => [address, extra])).toEqual([
      ['52:54:00:ab:10:01', {}],
      ['52:54:00:ab:10:0e', { 'client-id': 'ff:00:00:00:00:00:02:00:00:02:c9:00:52:54:00:03:00:ab:10:0e' }],
    ]);
  });

  it('inventory-mac-case.json: the port is found, keeps its uuid and boots', async () => {
    expect(await posted('inventory-mac-case.json', '52:54:00:ab:cd:01')).toMatchObject(accepted);
    expect(await ports()).toMatchObject([{ uuid: PORT, address: '52:54:00:ab:cd:01', pxe_enabled: true }]);
  });

  it('inventory-mac-case.json with add_ports = all: a second, lower-case port appears', async () => {
    await posted('inventory-mac-case.json', '52:54:00:ab:cd:01', { addPorts: 'all' });
    expect(await ports()).toMatchObject([
      { uuid: PORT, address: '52:54:00:ab:cd:01', pxe_enabled: true },
      { address: '52:54:00:ab:cd:02', pxe_enabled: false },
    ]);
  });

  it('inventory-out-of-band-shape.json: nulls do no harm, and the nameless NIC is no port', async () => {
    const hooks = ['ramdisk-error', 'validate-interfaces', 'ports'];
    expect(await posted('inventory-out-of-band-shape.json', '52:54:00:ab:26:01', { hooks })).toMatchObject(accepted);
    expect([await state(), await addresses()]).toEqual(['manageable', ['52:54:00:ab:26:01']]);
  });

  it('inventory-out-of-band-shape.json with the default hooks: accepted, and missed its architecture', async () => {
    expect(await posted('inventory-out-of-band-shape.json', '52:54:00:ab:26:01')).toMatchObject(accepted);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.stringContaining('architecture'),
    });
  });

  it('nodes-shared-bmc.json: the MAC decides, and without one nobody is found', async () => {
    await world.conductor();
    world.script.play('inspect', async ({ machine }: Asked) => ({
      returned: 'INSPECTWAIT',
      manageBoot: false,
      lookupBmcAddresses: await lookupBmcAddresses(machine?.driverInfo ?? {}, 'n', {
        resolveHost: () => Promise.resolve([]),
        clock: world.clock,
        logger: world.logger,
      }),
    }));
    type Sled = { name: string; driver_info: object; ports: { address: string }[] };
    const { nodes } = read<{ nodes: Sled[] }>('nodes-shared-bmc.json');
    for (const [index, { name, driver_info: driverInfo, ports: nics }] of nodes.entries()) {
      await waiting(world, uuidOf(index + 1), { name, driver_info: driverInfo, inspect_interface: 'agent' });
      for (const [n, { address }] of nics.entries()) {
        const uuid = uuidOf(500 + 10 * index + n);
        await world.do({
          type: 'CreateResource',
          kind: 'port',
          minor: 82,
          uuid,
          nodeUuid: uuidOf(index + 1),
          fields: { address },
        });
      }
    }
    const third = nodes.findIndex(({ name }) => name.includes('sled3'));
    const post = (mac: string): Command => ({
      type: 'ContinueInspection',
      uuid: uuidOf(900),
      askedNode: null,
      inventory: {
        interfaces: [{ name: 'a', mac_address: mac }],
        cpu: { architecture: 'x86_64' },
        bmc_v6address: '2001:db8:7::10',
      },
      pluginData: {},
      tokenDigest: null,
    });
    expect(await world.ask(post('52:54:00:ff:ff:ff'))).toMatchObject({ ok: false, code: 'RESOURCE_NOT_FOUND' });
    expect(await world.ask(post(nodes[third]?.ports[0]?.address ?? ''))).toMatchObject({
      ok: true,
      result: { uuid: uuidOf(third + 1) },
    });
  });
});
