/** Rows that want the real thing: all processes, no inspector among them, and a BMC that speaks Redfish. */
import { systemClock } from '@lib/adapters/system-clock';
import { aMachine, bmcAccount, RedfishBmc } from '@lib/testing/redfish-bmc';
import { Api, httpCall, macOf, ramdiskReport, startStack, until, type Stack } from '../stack';

jest.setTimeout(180_000);

const SETTINGS = {
  DEFAULT: { enabled_inspect_interfaces: 'agent, redfish, no-inspect' },
  conductor: { automated_clean: 'false' },
  inspector: { require_managed_boot: 'false' },
};

describe('without any inspector', () => {
  let stack: Stack;
  let api: Api;
  let bmc: RedfishBmc;

  beforeAll(async () => {
    bmc = await RedfishBmc.start({ machines: [aMachine()], clock: systemClock });
    stack = await startStack({ settings: SETTINGS, layout: 'single', services: ['conductor', 'scheduler', 'api'] });
    api = new Api(stack.apiUrl);
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    await bmc?.stop();
  }, 60_000);

  /** Managed through its BMC, with a port; its ramdisk is to post to our API. */
  async function machine(mac: string): Promise<{ uuid: string; port: string }> {
    const driverInfo = {
      redfish_address: bmc.url,
      redfish_system_id: '/redfish/v1/Systems/1',
      redfish_username: bmcAccount.username,
      redfish_password: bmcAccount.password,
    };
    const node = { driver: 'redfish', inspect_interface: 'agent', boot_interface: 'ipxe', driver_info: driverInfo };
    const { uuid } = (await api.must(201, 'POST', '/v1/nodes', node)).json as { uuid: string };
    const address = { node_uuid: uuid, address: mac };
    const { uuid: port } = (await api.must(201, 'POST', '/v1/ports', address)).json as { uuid: string };
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    await api.state(uuid, 'manageable');
    return { uuid, port };
  }

  async function waiting(mac: string): Promise<{ uuid: string; port: string }> {
    const one = await machine(mac);
    await api.must(202, 'PUT', `/v1/nodes/${one.uuid}/states/provision`, { target: 'inspect' });
    await api.state(one.uuid, 'inspect wait');
    return one;
  }

  const change = (path: string, field: string, value: unknown) =>
    api.must(200, 'PATCH', path, [{ op: 'add', path: `/${field}`, value }]);
  const resets = (): unknown[] =>
    bmc.requests.filter(({ path }) => path.endsWith('ComputerSystem.Reset')).map(({ body }) => body['ResetType']);
  const typesOf = async (uuid: string): Promise<string[]> => (await api.events(uuid)).map(({ type }) => type);

  it('a machine that waits is held by nobody: it, its ports and port groups are changed, its power too [1.2, 1.30]', async () => {
    const { uuid, port } = await waiting(macOf(1));
    expect(await api.node(uuid)).toMatchObject({ reservation: null, last_error: null });
    await change(`/v1/nodes/${uuid}`, 'extra/rack', 'r7');
    await change(`/v1/ports/${port}`, 'extra/slot', 3);
    const group = { node_uuid: uuid, address: macOf(9) };
    const { uuid: portgroup } = (await api.must(201, 'POST', '/v1/portgroups', group)).json as { uuid: string };
    await change(`/v1/portgroups/${portgroup}`, 'extra/bond', 'b0');
    const before = resets().length;
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/power`, { target: 'rebooting' });
    await until('the BMC is asked', () => resets().length > before);
    const node = await until('the power is changed', async () => {
      const { json } = await api.must(200, 'GET', `/v1/nodes/${uuid}`);
      return (json as { target_power_state: unknown }).target_power_state === null && json;
    });
    expect(node).toMatchObject({ provision_state: 'inspect wait', reservation: null, power_state: 'power on' });
    expect(node).toMatchObject({ extra: { rack: 'r7' }, last_error: null });
  });

  it('its ramdisk looks it up, beats and posts to the API, and it is inspected, in this order [1.4, 1.6]', async () => {
    const { uuid } = await waiting(macOf(2));
    const found = (await api.must(200, 'GET', `/v1/lookup?addresses=${macOf(2)}`)).json;
    const { config } = found as { config: { agent_token: string } };
    const beat = { callback_url: 'https://192.0.2.10:9999', agent_version: '11.0.0', agent_token: config.agent_token };
    await api.must(202, 'POST', `/v1/heartbeat/${uuid}`, beat);
    await api.must(202, 'POST', '/v1/continue_inspection', ramdiskReport(macOf(2)));
    expect((await api.state(uuid, 'manageable')).last_error).toBeNull();
    const { json } = await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`);
    expect(json).toMatchObject({ inventory: { system_vendor: { manufacturer: 'QEMU' } } });
    const ways = /^Inspection(Started|Waiting|Resumed|Finished|Failed|TimedOut|Aborted)$|^Agent/;
    expect((await typesOf(uuid)).filter((type) => ways.test(type))).toEqual([
      'InspectionStarted',
      'InspectionWaiting',
      'AgentLookedUp',
      'AgentHeartbeat',
      'InspectionResumed',
      'InspectionFinished',
    ]);
  });

  it('one put to `redfish` while it waits is not aborted: 400, nothing stored, the deadline as before [1.20, 2.5, 2.12, 2.15, 2.16]', async () => {
    const { uuid } = await waiting(macOf(3));
    const body = JSON.stringify({ target: 'abort' });
    const path = `/v1/nodes/${uuid}/states/provision`;
    const older: Record<string, string>[] = [{}, { 'X-OpenStack-Ironic-API-Version': '1.40' }];
    for (const version of older) {
      const headers = { 'Content-Type': 'application/json', ...version };
      expect((await httpCall(stack.apiUrl, { method: 'PUT', path, headers, body })).status).toBe(406);
    }
    await change(`/v1/nodes/${uuid}`, 'inspect_interface', 'redfish');
    const deadline = async () => (await api.must(200, 'GET', `/ferrolog/v1/nodes/${uuid}/deadline`)).json;
    const due = async () => ((await deadline()) as { due: string }).due;
    const before = [await api.node(uuid), await typesOf(uuid), await due(), bmc.requests.length];
    const refused = await api.provision(uuid, 'abort');
    expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/redfish does not support abort/)]);
    expect([await api.node(uuid), await typesOf(uuid), await due(), bmc.requests.length]).toEqual(before);
    await change(`/v1/nodes/${uuid}`, 'inspect_interface', 'agent');
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    await api.state(uuid, 'inspect failed');
  });
});
