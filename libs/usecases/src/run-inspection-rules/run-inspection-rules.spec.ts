import type { Command } from '@lib/contracts';
import { builtInRules, type InspectionRule, type PortDocument } from '@lib/domain';
import {
  NODE,
  World,
  documentOf,
  endings,
  eventData,
  manageable,
  provision,
  replace,
  uuidOf,
  waiting,
} from '../../../../test/world';
import type { ConductorSetup } from '../../../../test/world';

const MAC = '52:54:00:00:00:01';
const PORT = uuidOf(500);

const post = (pluginData: Readonly<Record<string, unknown>> = {}): Command => ({
  type: 'ContinueInspection',
  uuid: uuidOf(900),
  askedNode: null,
  inventory: {
    interfaces: [
      { name: 'eth0', mac_address: MAC },
      { name: 'eth1', mac_address: '52:54:00:00:00:02' },
    ],
    cpu: { architecture: 'x86_64', count: 4 },
    system_vendor: { serial_number: 'SN-1' },
    boot: { pxe_interface: MAC },
  },
  pluginData,
  tokenDigest: null,
});

const action = (op: string, args: object, rest: object = {}) => ({ op, args, ...rest });
const set = (path: string, value: unknown) => action('set-attribute', { path, value });
const eq = (...values: readonly unknown[]) => ({ op: 'eq', args: { values } });

const builtIn = (...rules: readonly object[]): readonly InspectionRule[] => {
  const parsed = builtInRules(rules);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
};

describe('inspection rules', () => {
  let world: World;
  beforeEach(() => (world = new World()));
  afterEach(() => world.stop());

  async function prepared(setup: ConductorSetup = {}, fields: object = {}): Promise<void> {
    await world.conductor(setup);
    await waiting(world, NODE, { inspect_interface: 'agent', ...fields });
    await world.do({
      type: 'CreateResource',
      kind: 'port',
      minor: 82,
      uuid: PORT,
      nodeUuid: NODE,
      fields: { address: MAC },
    });
  }

  const add = (n: number, fields: object): Promise<void> =>
    world.do({
      type: 'CreateResource',
      kind: 'inspection_rule',
      uuid: uuidOf(n),
      nodeUuid: null,
      fields: { ...fields },
      minor: 115,
    });

  const shown = async () => (await documentOf(world)) ?? {};
  const portDocument = async (uuid = PORT): Promise<PortDocument> => {
    const [row] = await world.memory.readModel.get('port', [uuid]);
    return JSON.parse(row?.json ?? '{}') as PortDocument;
  };
  async function pluginData(): Promise<Record<string, unknown>> {
    const [row] = await world.memory.readModel.get('node_inventory', [NODE]);
    const { plugin_data: hash } = JSON.parse(row?.json ?? '{}') as { plugin_data: string };
    const bytes = await world.memory.readModel.readBlob(hash);
    return JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as Record<string, unknown>;
  }

  it('change the node, its traits, its ports and the data, in the append of the ending', async () => {
    await prepared();
    await add(600, {
      conditions: [eq('{inventory[cpu][count]}', '4')],
      actions: [
        set('/extra/arch', '{node.properties[cpu_arch]}'),
        set('/name', '{inventory[system_vendor][serial_number]}'),
        action('set-capability', { name: 'cores', value: '{inventory[cpu][count]}' }),
        action('add-trait', { name: 'CUSTOM_SEEN' }),
        action('set-plugin-data', { path: 'seen.by', value: 'rule' }),
        action('set-port-attribute', { port_id: MAC, path: '/extra/seen', value: 'yes' }),
        action('set-port-attribute', { port_id: MAC, path: '/is_smartnic', value: 'False' }),
      ],
    });
    await world.do(post({ logs: 'H4sI' }));
    expect(await shown()).toMatchObject({
      provision_state: 'manageable',
      name: 'SN-1',
      extra: { arch: 'x86_64' },
      properties: { cpu_arch: 'x86_64', capabilities: 'cores:4' },
      traits: ['CUSTOM_SEEN'],
    });
    expect(await pluginData()).toMatchObject({ seen: { by: 'rule' }, macs: [MAC] });
    expect(await pluginData()).not.toHaveProperty('logs');
    expect(await portDocument()).toMatchObject({ extra: { seen: 'yes' }, is_smartnic: false });
  });

  it('reach ports that the inspection makes, by their MAC', async () => {
    await prepared({ inspection: { hookOptions: { addPorts: 'all' } } });
    await add(600, {
      actions: [action('set-port-attribute', { port_id: '52:54:00:00:00:02', path: 'physical_network', value: 'net' })],
    });
    await world.do(post());
    const owners = await world.memory.readModel.owners('port.address', ['52:54:00:00:00:02']);
    const [stream] = [...owners.values()];
    expect(await portDocument(stream?.slice('port/'.length))).toMatchObject({ physical_network: 'net' });
  });

  it('that say so fail the inspection, by their name, and leave the node and its data as they were', async () => {
    await prepared();
    await add(600, {
      description: 'minimum',
      actions: [set('/extra/a', 1), action('fail', { msg: 'not acceptable' })],
    });
    await world.do(post());
    const error = `Failed to finish inspection: inspection rule ${uuidOf(600)} (minimum): not acceptable`;
    expect(await shown()).toMatchObject({ provision_state: 'inspect failed', last_error: error, extra: {} });
    expect(await endings(world)).toEqual(['InspectionFailed']);
    expect(await world.memory.readModel.get('node_inventory', [NODE])).toEqual([]);
  });

  it('RUL-03: an error of a rule names it; numbers, lists and null are values, and what can not be filled in stays', async () => {
    await prepared();
    const values: readonly unknown[] = [5, [1], null, '{missing}'];
    await add(600, { actions: values.map((value, n) => set(`/extra/v${n}`, value)) });
    await world.do(post());
    expect(await shown()).toMatchObject({
      provision_state: 'manageable',
      extra: { v0: 5, v1: [1], v2: null, v3: '{missing}' },
    });
    await add(601, { actions: [set('/extra', 'text')] });
    await world.do(provision('inspect'));
    await world.do(post());
    expect(await shown()).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.stringMatching(new RegExp(`inspection rule ${uuidOf(601)}: extra: an object`)) as string,
    });
  });

  it('RUL-05: another driver takes the interfaces of its own, and they stay', async () => {
    await prepared();
    await add(600, { actions: [set('/driver', 'manual-management')] });
    await world.do(post());
    const after = await shown();
    expect(after).toMatchObject({ provision_state: 'manageable', driver: 'manual-management' });
    const other = uuidOf(2);
    await manageable(world, other, { driver: 'manual-management', inspect_interface: null });
    const interfaces = (node: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(Object.entries(node).filter(([key]) => key.endsWith('_interface')));
    expect(interfaces(after)).toEqual(interfaces((await documentOf(world, other)) ?? {}));
  });

  it('RPL-08: what is stored is what the rules saw, and the same data is decided the same way again', async () => {
    await prepared();
    await add(600, {
      conditions: [eq('{plugin_data[macs][0]}', MAC)],
      actions: [action('set-plugin-data', { path: 'saw', value: '{plugin_data[all_interfaces][eth0][pxe_enabled]}' })],
    });
    await world.do(post());
    const first = await pluginData();
    expect(first).toMatchObject({ saw: 'True', all_interfaces: { eth0: { pxe_enabled: true } } });
    await world.do(provision('inspect'));
    await world.do(post());
    expect(await pluginData()).toEqual(first);
  });

  it.each([
    ['/driver', 'nope', 'no conductor serves driver nope'],
    ['/name', 'ports', 'reserved'],
    ['/driver_info', { inspect_wait_timeout: 'soon' }, 'inspect_wait_timeout'],
  ])('fail where %s may not become %j', async (path, value, text) => {
    await prepared();
    await add(600, { actions: [set(path, value)] });
    await world.do(post());
    expect(await shown()).toMatchObject({ provision_state: 'inspect failed' });
    expect((await shown())['last_error']).toContain(text);
  });

  it('fail where a name belongs to another node', async () => {
    await prepared();
    await manageable(world, uuidOf(2), { name: 'taken' });
    await add(600, { actions: [set('/name', 'taken')] });
    await world.ask(post());
    await world.clock.advanceBy(60_000);
    expect(await shown()).toMatchObject({ provision_state: 'inspect failed', name: null });
    expect((await shown())['last_error']).toContain('taken');
  });

  it('have the secrets that they set sealed, under a key that is made for the first one', async () => {
    await prepared();
    await add(600, { actions: [set('/driver_info/redfish_password', '{plugin_data[made_up]}')] });
    await world.do(post({ made_up: 'geheim-4711' }));
    expect(await shown()).toMatchObject({
      provision_state: 'manageable',
      driver_info: { redfish_password: { sealed: expect.any(String) as string } },
    });
    expect(JSON.stringify(await eventData(world, 'NodeUpdated'))).not.toContain('geheim');
    expect(world.memory.store.keys.size).toBe(1);
  });

  it('that are sensitive are carried out, and show themselves nowhere', async () => {
    await prepared({ inspection: { maskSecrets: 'sensitive' } });
    await add(600, {
      sensitive: true,
      conditions: [eq('{plugin_data[bmc_password]}', 'geheim-1')],
      actions: [set('/extra/open', 'sesame-{plugin_data[bmc_password]}')],
    });
    await add(601, { actions: [set('/extra/shut', '{plugin_data[bmc_password]}')] });
    await world.do(post({ bmc_password: 'geheim-1' }));
    expect(await shown()).toMatchObject({
      provision_state: 'manageable',
      extra: { open: 'sesame-geheim-1', shut: '***' },
    });
    const rules = (await world.memory.log.readAll(0, 10_000)).filter(({ stream }) =>
      stream.startsWith('inspection_rule'),
    );
    expect(JSON.stringify(rules)).not.toMatch(/geheim|sesame/);
  });

  it('of the settings are carried out among those of the API, by their priorities', async () => {
    const say = (value: string) => [action('extend-plugin-data', { path: 'said', value })];
    await prepared({
      inspection: {
        builtInRules: builtIn(
          { actions: say('very last'), priority: -1 },
          { actions: say('first'), priority: 10_000 },
          {
            actions: say('third'),
          },
        ),
      },
    });
    await add(600, { actions: say('second') });
    await world.do(post());
    expect((await pluginData())['said']).toEqual(['first', 'second', 'third', 'very last']);
  });

  it('take effect when they were changed, and none when they were deleted', async () => {
    await prepared();
    await add(600, { sensitive: true, actions: [set('/extra/a', 1)] });
    await world.do({
      type: 'PatchResource',
      kind: 'inspection_rule',
      uuid: uuidOf(600),
      nodeUuid: null,
      patch: [replace('/actions/0/args/value', 2)],
      minor: 115,
    });
    await world.do(post());
    expect(await shown()).toMatchObject({ extra: { a: 2 } });
    await world.do({
      type: 'RemoveResource',
      kind: 'inspection_rule',
      uuid: uuidOf(600),
      nodeUuid: null,
    });
    await world.do({
      type: 'PatchNode',
      uuid: NODE,
      patch: [replace('/extra', {})],
      minor: 115,
      resetInterfaces: false,
    });
    await world.do(provision('inspect'));
    await world.do(post());
    expect(await shown()).toMatchObject({ provision_state: 'manageable', extra: {} });
  });

  describe('that call out', () => {
    const call = (rest: object = {}) => action('api-call', { url: 'http://cmdb.example/{node.uuid}', ...rest });

    it('do so before the inspection ends', async () => {
      await prepared();
      await add(600, { actions: [call({ headers: { 'x-a': 'b' }, proxies: { http: 'http://proxy:3128' } })] });
      let state: unknown;
      world.answerOutgoing = () => {
        void shown().then((node) => (state = node['provision_state']));
        return 204;
      };
      await world.do(post());
      expect(world.outgoing).toEqual([
        { url: `http://cmdb.example/${NODE}`, headers: { 'x-a': 'b' }, proxy: 'http://proxy:3128', timeoutMs: 5000 },
      ]);
      expect([state, (await shown())['provision_state']]).toEqual(['inspecting', 'manageable']);
    });

    it.each<[string, number | Error, tries: number, text: string]>([
      ['a refusal', 404, 1, 'it answered 404'],
      ['a fault', 503, 3, 'it answered 503'],
      ['no answer', new Error('ECONNREFUSED'), 3, 'ECONNREFUSED'],
    ])('fail the inspection with %s, after %j at try %i', async (_, answer, tries, text) => {
      await prepared();
      await add(600, { actions: [call({ retries: 2, backoff_factor: 1 })] });
      world.answerOutgoing = () => answer;
      await world.ask(post());
      await world.clock.advanceBy(10_000);
      expect(world.outgoing).toHaveLength(tries);
      expect(await shown()).toMatchObject({ provision_state: 'inspect failed' });
      const error = (await shown())['last_error'];
      expect(error).toContain(
        `inspection rule ${uuidOf(600)}: api-call to http://cmdb.example/${NODE} failed: ${text}`,
      );
    });

    it('are tried again with growing pauses, and go on with the first success', async () => {
      await prepared();
      await add(600, { actions: [call({ retries: 3, backoff_factor: 1 })] });
      world.answerOutgoing = () => (world.outgoing.length < 3 ? 500 : 200);
      await world.ask(post());
      await world.clock.advanceBy(2999);
      expect(world.outgoing).toHaveLength(2);
      await world.clock.advanceBy(1);
      expect(await shown()).toMatchObject({ provision_state: 'manageable' });
    });
  });
});
