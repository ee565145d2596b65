import { join } from 'node:path';
import { Api, REPOSITORY, startStack, until } from '../stack';
import type { Stack } from '../stack';
import { Rack } from './rack';

const EXAMPLE = join(REPOSITORY, 'examples', 'ferrolog-example-hardware');
const settings = {
  DEFAULT: {
    extensions: `${EXAMPLE}, ./test/extension/misbehaving-hardware`,
    enabled_hardware_types: 'fake-hardware, example-rack',
    enabled_power_interfaces: 'fake, example-rack',
    enabled_inspect_interfaces: 'fake, agent, example-rack, misbehaving, no-inspect',
  },
  inspector: { status_check_period: '1', timeout: '30' },
  conductor: { heartbeat_timeout: '20', heartbeat_interval: '5' },
};
const inventory = { interfaces: [{ name: 'eth0', mac_address: '52:54:00:00:00:01' }] };

describe('a stack with extensions', () => {
  let stack: Stack;
  let rack: Rack;
  let api: Api;
  beforeAll(async () => {
    rack = await Rack.start();
    stack = await startStack({ settings });
    api = new Api(stack.apiUrl);
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    await rack?.stop();
  }, 60_000);

  const patience = { timeoutMs: 60_000 };
  const created = async (fields: object): Promise<string> => {
    const { uuid } = (await api.must(201, 'POST', '/v1/nodes', fields)).json as { uuid: string };
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    await api.state(uuid, 'manageable', patience);
    return uuid;
  };
  const inSlot = (slot: number, more: object = {}): Promise<string> =>
    created({ driver: 'example-rack', driver_info: { rack_address: rack.address, rack_slot: slot, ...more } });
  const surveyed = async (slot: number, more: object = {}): Promise<string> => {
    const uuid = await inSlot(slot, more);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    await api.state(uuid, 'inspect wait', patience);
    return uuid;
  };
  const releasesOf = (slot: number) => rack.releases.filter((one) => one.slot === String(slot));
  /** Endings of an inspection and ends of effects, as the log has them. */
  const logged = async (uuid: string) =>
    (await api.events(uuid))
      .map(({ type }) => type)
      .filter((type) => /^(EffectClosed|Inspection[A-Z]\w+(ed|Out))$/.test(type));
  const settled = (uuid: string) =>
    until('the end of the last effect', async () => (await logged(uuid)).at(-1) === 'EffectClosed', patience);
  const playing = async (plays: string): Promise<string> =>
    created({ driver: 'fake-hardware', inspect_interface: 'misbehaving', driver_info: { plays } });
  const inspected = async (plays: string, state: string) => {
    const uuid = await playing(plays);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    return api.state(uuid, state, patience);
  };

  it('shows the hardware type that an extension brings, with its interfaces and properties', async () => {
    const driver = (await api.must(200, 'GET', '/v1/drivers/example-rack')).json;
    expect(driver).toMatchObject({
      default_inspect_interface: 'example-rack',
      enabled_inspect_interfaces: ['agent', 'example-rack', 'no-inspect'],
      default_power_interface: 'example-rack',
    });
    expect((await api.must(200, 'GET', '/v1/drivers/example-rack/properties')).json).toHaveProperty('rack_slot');
    expect((await api.send('GET', '/v1/drivers/example-rack/raid/logical_disk_properties')).status).toBe(404);
  });

  it('refuses what its own checks refuse, before anything changes', async () => {
    const uuid = await created({ driver: 'fake-hardware', inspect_interface: 'example-rack' });
    const refused = await api.provision(uuid, 'inspect');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('rack_address')]);
    const validated = (await api.must(200, 'GET', `/v1/nodes/${uuid}/validate`)).json;
    expect(validated).toMatchObject({ inspect: { result: false, reason: expect.stringContaining('rack_address') } });
    expect((await api.node(uuid)).provision_state).toBe('manageable');
  });

  it('has a node of it created, powered, inspected, wait, and end with what its peer found [1.27]', async () => {
    const uuid = await surveyed(1);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/power`, { target: 'power on' });
    await until('the power', async () => (await api.node(uuid)).power_state === 'power on', patience);
    rack.end(1, { found: { inventory, survey: 'quick' } });
    await api.state(uuid, 'manageable', patience);
    const found = (await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`)).json;
    expect(found).toEqual({ inventory, plugin_data: { survey: 'quick' } });
    await settled(uuid);
    expect(releasesOf(1)).toEqual([{ slot: '1', outcome: 'done', key: `${uuid}/1` }]);
  });

  it('fails it with the words of its peer, and tells the extension so [1.27]', async () => {
    const uuid = await surveyed(2);
    rack.end(2, { error: 'no disks in there' });
    expect((await api.state(uuid, 'inspect failed', patience)).last_error).toContain('no disks in there');
    await settled(uuid);
    expect(releasesOf(2)).toEqual([{ slot: '2', outcome: 'fail', key: `${uuid}/1` }]);
  });

  it('aborts it at its peer, and tells the extension of each attempt by itself [1.27]', async () => {
    const uuid = await surveyed(3);
    for (const attempt of [1, 2]) {
      if (attempt > 1) await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
      await api.state(uuid, 'inspect wait', patience);
      await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' });
      expect((await api.node(uuid)).last_error).toContain('aborted');
      await settled(uuid);
    }
    expect(rack.called('DELETE 3 survey')).toBe(2);
    expect(releasesOf(3).map(({ outcome, key }) => [outcome, key])).toEqual([
      ['abort', `${uuid}/1`],
      ['abort', `${uuid}/2`],
    ]);
  });

  it('tells the extension of a node that is deleted under its inspection', async () => {
    const uuid = await surveyed(4);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, {});
    await api.must(204, 'DELETE', `/v1/nodes/${uuid}`);
    await until('the release', () => releasesOf(4).length > 0, patience);
    expect(releasesOf(4)).toEqual([{ slot: '4', outcome: 'deleted', key: `${uuid}/1` }]);
  });

  it('waits with a warning that names the interface when it returns INSPECTING [1.24]', async () => {
    await inspected('returns INSPECTING', 'inspect wait');
    const warned = stack
      .logs()
      .split('\n')
      .filter((line) => line.includes('returned INSPECTING'));
    expect(warned).toEqual([expect.stringContaining('"interface":"misbehaving"')]);
  });

  it.each([
    ['returns nonsense', 'unexpected state WARP SPEED'],
    ['returns nothing', 'unexpected state null'],
    ['returns a circle', 'interface misbehaving answers inspect with something else'],
    ['raises', 'the rack is on fire'],
    ['raises a bug', 'Unexpected exception TypeError'],
  ])('fails the one node whose interface %s', async (plays, text) => {
    const node = await inspected(plays, 'inspect failed');
    expect([node.last_error, node.reservation]).toEqual([expect.stringContaining(text), null]);
    const history = await api.history(node.uuid);
    expect(history.map(({ event, severity }) => [event, severity])).toEqual([[node.last_error, 'ERROR']]);
  });

  it('answers 400 for an interface that breaks at its checks', async () => {
    const refused = await api.provision(await playing('breaks at validate'), 'inspect');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('rack is not defined')]);
  });

  it.each([
    ['throws later', 'nobody catches this'],
    ['forgets a promise', 'nobody waits for this'],
  ])('goes on in the same process when an interface %s', async (plays, text) => {
    const before = stack.pid('conductor');
    await inspected(plays, 'manageable');
    await until('the error in the log', () => stack.logs().includes(text), patience);
    expect([stack.exitOf('conductor'), stack.pid('conductor')]).toEqual([null, before]);
    await inspected('returns nonsense', 'inspect failed');
  });

  it('refuses to inspect with no-inspect, at its checks and at the verb', async () => {
    const uuid = await created({
      driver: 'example-rack',
      inspect_interface: 'no-inspect',
      driver_info: { rack_address: rack.address, rack_slot: 9 },
    });
    const validated = (await api.must(200, 'GET', `/v1/nodes/${uuid}/validate`)).json;
    expect(validated).toMatchObject({ inspect: { result: false, reason: expect.stringContaining('no-inspect') } });
    const refused = await api.provision(uuid, 'inspect');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('no-inspect')]);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
  });

  it('tells the extension once when the conductor is killed between the ending and the call [1.27]', async () => {
    const uuid = await surveyed(5);
    rack.hold('PUT 5 power');
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/power`, { target: 'power on', timeout: 120 });
    await until('the power call', () => rack.called('PUT 5 power') > 0, patience);
    rack.end(5, { error: 'no disks' });
    await api.state(uuid, 'inspect failed', patience);
    expect(releasesOf(5)).toEqual([]);
    await stack.kill('conductor', 'SIGKILL');
    rack.letGo('PUT 5 power');
    await stack.restart('conductor');
    await settled(uuid);
    expect(releasesOf(5)).toEqual([{ slot: '5', outcome: 'fail', key: `${uuid}/1` }]);
  }, 180_000);

  it('calls the extension again under the same key when the conductor is killed in the call, and notes it once [1.27]', async () => {
    const uuid = await surveyed(6, { inspect_wait_timeout: 2 });
    rack.hold('POST 6 release');
    await api.state(uuid, 'inspect failed', patience);
    await until('the call', () => releasesOf(6).length > 0, patience);
    await stack.kill('conductor', 'SIGKILL');
    rack.letGo('POST 6 release');
    await stack.restart('conductor');
    await settled(uuid);
    const told = { slot: '6', outcome: 'timeout', key: `${uuid}/1` };
    expect(releasesOf(6)).toEqual([told, told]);
    expect((await logged(uuid)).filter((type) => type === 'EffectClosed')).toHaveLength(1);
    expect((await api.node(uuid)).last_error).toMatch(/^Timeout reached/);
  }, 180_000);

  it('does not start with an extension that is not there, and says which', async () => {
    await stack.kill('conductor', 'SIGTERM');
    stack.configure('conductor', { DEFAULT: { extensions: 'ferrolog-left-out' } });
    await expect(stack.restart('conductor')).rejects.toThrow('conductor ended');
    expect(stack.exitOf('conductor')?.code).toBe(78);
    expect(stack.logs()).toMatch(/\[DEFAULT\] extensions: "ferrolog-left-out" is not installed/);
    stack.configure('conductor', { DEFAULT: { extensions: EXAMPLE } });
    await expect(stack.restart('conductor')).rejects.toThrow('conductor ended');
    expect(stack.logs()).toContain(
      'enabled_inspect_interfaces: "misbehaving" is no inspect interface that this release or its extensions know',
    );
  }, 180_000);
});
