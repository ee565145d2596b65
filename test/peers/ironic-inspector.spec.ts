import { Api, freePorts, inspect, macOf, ramdiskReport, startStack, until, type Stack } from '../stack';
import { IronicInspector, inspectorPrograms } from './ironic-inspector';
import { describeWith } from './openstack-service';

jest.setTimeout(180_000);

describeWith('ironic-inspector', inspectorPrograms)('a real ironic-inspector as the inspector of our conductor', () => {
  let stack: Stack;
  let inspector: IronicInspector;
  let api: Api;
  let numbers = 0;

  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'inspector, no-inspect' },
      conductor: { automated_clean: 'false' },
      inspector: {
        endpoint_override: `http://127.0.0.1:${port}`,
        status_check_period: '1',
        require_managed_boot: 'false',
      },
    };
    stack = await startStack({ settings, layout: 'single', services: ['conductor', 'scheduler', 'api'] });
    api = new Api(stack.apiUrl);
    inspector = await IronicInspector.start(port, stack.apiUrl);
  }, 300_000);
  afterAll(async () => {
    await inspector?.stop();
    await stack?.stop();
  }, 60_000);

  async function machine(withPort = true): Promise<{ uuid: string; mac: string }> {
    const mac = macOf((numbers += 1));
    const body = { driver: 'fake-hardware', inspect_interface: 'inspector' };
    const { uuid } = (await api.must(201, 'POST', '/v1/nodes', body)).json as { uuid: string };
    if (withPort) await api.must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: mac });
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    await api.state(uuid, 'manageable');
    return { uuid, mac };
  }

  /** In `inspect wait`, and the inspector waits for the ramdisk, which it booted through our API. */
  async function waiting(): Promise<{ uuid: string; mac: string }> {
    const one = await machine();
    await inspect(api, one.uuid);
    await inspector.state(one.uuid, 'waiting');
    return one;
  }

  const posted = (mac: string, more: object = {}) =>
    inspector.call('POST', '/v1/continue', { ...(ramdiskReport(mac) as object), ...more });

  const property = async (uuid: string, name: string): Promise<unknown> =>
    ((await api.must(200, 'GET', `/v1/nodes/${uuid}`)).json as { properties: Record<string, unknown> }).properties[
      name
    ];

  it('boots the machine through our API, waits, and what it stored is ours before the node is manageable', async () => {
    const { uuid, mac } = await waiting();
    // It asks for the power on, which takes its time, after it has said that it waits.
    await until('the machine is on', async () => (await api.node(uuid)).power_state === 'power on');
    const device = (await api.must(200, 'GET', `/v1/nodes/${uuid}/management/boot_device`)).json;
    expect(device).toMatchObject({ boot_device: 'pxe' });
    expect((await posted(mac)).json).toEqual({ uuid });
    await api.state(uuid, 'manageable');
    const { json } = await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`);
    const { inventory, plugin_data: plugin } = json as Record<string, Record<string, unknown>>;
    expect(inventory).toMatchObject({ system_vendor: { manufacturer: 'QEMU' } });
    expect(plugin).toMatchObject({ macs: [mac], root_disk: { name: '/dev/sda' } });
    expect(await property(uuid, 'memory_mb')).toBe('8192');
    expect(await api.node(uuid)).toMatchObject({ power_state: 'power off', last_error: null });
  });

  it('goes on waiting after data with an error in it, as it does itself, and takes what is right later', async () => {
    const { uuid, mac } = await waiting();
    expect((await posted(mac, { error: 'no disks' })).status).toBe(400);
    expect((await inspector.shown(uuid)).state).toBe('waiting');
    expect((await api.node(uuid)).provision_state).toBe('inspect wait');
    expect((await posted(mac)).status).toBe(200);
    await api.state(uuid, 'manageable');
  });

  it('is handed what a ramdisk posts to us instead, and judges it as its own', async () => {
    const { uuid, mac } = await waiting();
    const toUs = (more: object = {}) =>
      api.must(202, 'POST', '/v1/continue_inspection', { ...(ramdiskReport(mac) as object), ...more });
    const taken = async (times: number) =>
      (await api.events(uuid)).filter(({ type }) => type === 'EffectClosed').length === times;
    // The first effect that is closed is the start.
    expect((await toUs({ error: 'no disks' })).json).toMatchObject({ node: { uuid } });
    await until('the inspector has had the data', () => taken(2));
    expect([(await inspector.shown(uuid)).state, (await api.node(uuid)).provision_state]).toEqual([
      'waiting',
      'inspect wait',
    ]);
    await toUs();
    await api.state(uuid, 'manageable');
    expect(await property(uuid, 'memory_mb')).toBe('8192');
    await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`);
  });

  it('fails the node with the words of the rule that failed', async () => {
    const { uuid, mac } = await waiting();
    const rule = { conditions: [], actions: [{ action: 'fail', message: 'not this rack' }] };
    expect((await inspector.call('POST', '/v1/rules', rule)).status).toBe(201);
    try {
      expect((await posted(mac)).status).toBe(400);
      expect((await api.state(uuid, 'inspect failed')).last_error).toBe(
        'ironic-inspector inspection failed: not this rack',
      );
    } finally {
      await inspector.call('DELETE', '/v1/rules');
    }
  });

  it('fails the node with the reason for which it could not begin', async () => {
    const { uuid } = await machine(false);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    const { last_error: reason } = await api.state(uuid, 'inspect failed');
    expect(reason).toMatch(/^ironic-inspector inspection failed: .*lookup attributes/);
  });

  it('is told of an abort, takes no data after it, and starts again at once [2.6] [2.9]', async () => {
    const { uuid, mac } = await waiting();
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    const aborted = await api.node(uuid);
    expect(aborted).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.stringContaining('aborted'),
    });
    expect(await inspector.state(uuid, 'error')).toMatchObject({ finished: true, error: 'Canceled by operator' });
    expect((await posted(mac)).status).toBe(400);
    await inspect(api, uuid);
    await inspector.state(uuid, 'waiting');
    expect((await posted(mac)).status).toBe(200);
    await api.state(uuid, 'manageable');
  });

  it('that is aborted by its own API ends our node at the next look, with its words [1.19] [2.3] [2.19]', async () => {
    const { uuid } = await waiting();
    expect((await inspector.call('POST', `/v1/introspection/${uuid}/abort`)).status).toBe(202);
    const { last_error: reason } = await api.state(uuid, 'inspect failed');
    expect(reason).toBe('ironic-inspector inspection failed: Canceled by operator');
  });

  it('writes what it finds later, and moves no node by it', async () => {
    const { uuid, mac } = await waiting();
    expect((await posted(mac)).status).toBe(200);
    await api.state(uuid, 'manageable');
    await inspect(api, uuid);
    await inspector.state(uuid, 'waiting');
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    const ended = await inspector.state(uuid, 'error');
    const again = { ...(ramdiskReport(mac) as { inventory: object }) };
    const grown = {
      ...again,
      inventory: { ...again.inventory, memory: { total: 17_179_869_184, physical_mb: 16_384 } },
    };
    expect((await inspector.call('POST', `/v1/introspection/${uuid}/data/unprocessed`, grown)).status).toBe(202);
    const later = await inspector.state(uuid, 'finished');
    expect(later.started_at > ended.started_at).toBe(true);
    expect(await property(uuid, 'memory_mb')).toBe('16384');
    const node = await api.node(uuid);
    expect(node).toMatchObject({ provision_state: 'inspect failed', last_error: expect.stringContaining('aborted') });
  });

  describe('that is down', () => {
    it('fails a start, refuses an abort, and ends what waited when it is back [1.1] [2.11]', async () => {
      const { uuid, mac } = await waiting();
      const other = await machine();
      await inspector.vanish();
      const refused = await api.provision(uuid, 'abort');
      expect(refused.status).toBe(500);
      const { provision_state: state, last_error: why } = await api.node(uuid);
      expect([state, why]).toEqual([
        'inspect wait',
        expect.stringMatching(/Failed to abort.*no inspector can be reached/),
      ]);
      await api.must(202, 'PUT', `/v1/nodes/${other.uuid}/states/provision`, { target: 'inspect' });
      const failed = await api.state(other.uuid, 'inspect failed');
      expect(failed.last_error).toMatch(/start inspection: no inspector can be reached at http:/);
      await inspector.arrive();
      await until('the inspector takes the data', async () => (await posted(mac)).status === 200);
      await api.state(uuid, 'manageable');
    });
  });
});
