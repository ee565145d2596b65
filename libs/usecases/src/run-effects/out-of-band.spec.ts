import type { JsonObject } from '@lib/domain';
import type { InspectResult } from '@lib/ports';
import { NODE, World, documentOf, endings, eventTypes, manageable, provision, uuidOf } from '../../../../test/world';

const MAC = '52:54:00:00:00:01';

const inventory = {
  interfaces: [{ name: 'NIC1', mac_address: MAC, speed_mbps: 25000 }],
  cpu: { architecture: 'x86_64', count: 4 },
  memory: { physical_mb: 65536 },
  disks: [{ name: 'Drive 0', size: 480 * 1024 ** 3 }],
  system_vendor: { manufacturer: 'Acme Iron' },
};

const found = (differs: Partial<InspectResult> = {}): InspectResult => ({
  returned: 'MANAGEABLE',
  data: { inventory, pluginData: {} },
  hooks: ['validate-interfaces', 'ports', 'architecture', 'cpus'],
  essential: ['memory_mb', 'local_gb', 'cpu_arch'],
  properties: { memory_mb: 65536, local_gb: 479 },
  warnings: ['an odd disk'],
  ...differs,
});

describe('an inspection out of band', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
    await manageable(world);
  });
  afterEach(() => world.stop());

  const rule = (op: string, args: object, conditions: readonly object[] = []): Promise<void> =>
    world.do({
      type: 'CreateResource',
      kind: 'inspection_rule',
      uuid: uuidOf(700),
      nodeUuid: null,
      fields: { actions: [{ op, args }], conditions },
      minor: 115,
    });

  async function inspected(result = found()): Promise<JsonObject> {
    world.script.play('inspect', () => result);
    await world.do(provision('inspect'));
    return (await documentOf(world)) as JsonObject;
  }

  const ports = async (): Promise<JsonObject[]> => {
    const documents = await world.memory.readModel.list({
      kind: 'port',
      where: [],
      sort: { column: 'seq', descending: false },
      limit: 10,
    });
    return (documents ?? []).map(({ json }) => JSON.parse(json) as JsonObject);
  };

  /** Plugin data that is kept with the node; null: there is none. */
  async function kept(): Promise<JsonObject | null> {
    const [stored] = await world.memory.readModel.get('node_inventory', [NODE]);
    if (!stored) return null;
    const { plugin_data: hash } = JSON.parse(stored.json) as { plugin_data: string };
    const bytes = await world.memory.log.readBlob(hash);
    return JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as JsonObject;
  }

  it('runs its own hooks: properties, ports, and what is kept', async () => {
    expect(await inspected()).toMatchObject({
      provision_state: 'manageable',
      properties: { memory_mb: 65536, local_gb: 479, cpu_arch: 'x86_64', cpus: 4 },
    });
    expect(await ports()).toMatchObject([{ address: MAC, pxe_enabled: false, node_uuid: NODE }]);
    expect(await kept()).toMatchObject({ macs: [MAC] });
    expect(world.records).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ warnings: ['an odd disk'] }) }),
    );
  });

  it('is in inspecting and then at its end, without any wait between [1.31]', async () => {
    await inspected();
    const types = await eventTypes(world);
    expect(types).toContain('InspectionFinished');
    expect(types).not.toContain('InspectionWaiting');
  });

  it('takes the rules: fields, traits and ports', async () => {
    await rule('set-attribute', { path: '/extra/vendor', value: '{inventory[system_vendor][manufacturer]}' });
    expect(await inspected()).toMatchObject({ extra: { vendor: 'Acme Iron' }, properties: { cpus: 4 } });
  });

  it('takes traits and fields of ports from rules', async () => {
    await world.do({
      type: 'CreateResource',
      kind: 'inspection_rule',
      uuid: uuidOf(700),
      nodeUuid: null,
      fields: {
        actions: [
          { op: 'add-trait', args: { name: 'CUSTOM_IRON' } },
          { op: 'set-port-attribute', args: { port_id: MAC, path: '/extra/rack', value: '7' } },
        ],
      },
      minor: 115,
    });
    expect((await inspected())['traits']).toEqual(['CUSTOM_IRON']);
    expect(await ports()).toMatchObject([{ extra: { rack: '7' } }]);
  });

  it('keeps its data as it was before the rules', async () => {
    await rule('set-plugin-data', { path: 'seen', value: 'yes' });
    await inspected();
    expect(await kept()).not.toHaveProperty('seen');
  });

  it('that a rule fails has failed, and its data is kept all the same', async () => {
    await rule('fail', { msg: 'no such rack' });
    expect(await inspected()).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.stringMatching(/^Failed to finish inspection: .*no such rack/),
      properties: {},
    });
    expect(await kept()).toMatchObject({ macs: [MAC] });
    expect(await ports()).toEqual([]);
    expect(await endings(world)).toEqual(['InspectionFailed']);
  });

  it('that its hooks refuse has failed, and nothing is kept', async () => {
    const none = { ...inventory, interfaces: [] };
    expect(await inspected(found({ data: { inventory: none, pluginData: {} } }))).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.stringMatching(/^Failed to finish inspection: .*hooks: validate-interfaces/),
    });
    expect(await kept()).toBeNull();
  });

  it('fails where an essential property is missing, and names it', async () => {
    expect(await inspected(found({ properties: { local_gb: 0 } }))).toMatchObject({
      provision_state: 'inspect failed',
      last_error: 'The machine does not tell these essential properties: memory_mb',
    });
    expect(await kept()).not.toBeNull();
  });

  it('has what is essential where a rule sets it', async () => {
    await rule('set-attribute', { path: '/properties/memory_mb', value: '1024' });
    expect(await inspected(found({ properties: { local_gb: 0 } }))).toMatchObject({
      provision_state: 'manageable',
      properties: { memory_mb: '1024', cpu_arch: 'x86_64' },
    });
  });

  it('lacks what is essential where a rule takes it away', async () => {
    await rule('del-attribute', { path: '/properties/cpu_arch' });
    expect((await inspected())['last_error']).toMatch(/essential properties: cpu_arch$/);
  });
});
