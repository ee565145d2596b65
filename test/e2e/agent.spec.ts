import { Api, macOf, sleep, startStack, until, type Stack } from '../stack';

/** Nodes of the interface `agent` with ramdisks that post to our own API, over the whole stack of processes. */
const START_TIMEOUT_MS = 240_000;
jest.setTimeout(180_000);

const settings = {
  DEFAULT: { enabled_inspect_interfaces: 'agent, fake, no-inspect' },
  conductor: { inspect_wait_timeout: '1800', automated_clean: 'false' },
  inspector: { require_managed_boot: 'false' },
  simulator: { ramdisk_poll: '0.2' },
};

describe('an inspection without an inspector', () => {
  let stack: Stack;
  let api: Api;
  beforeAll(async () => {
    stack = await startStack({ settings });
    api = new Api(stack.apiUrl);
  }, START_TIMEOUT_MS);
  afterAll(() => stack.stop(), 60_000);

  async function inspected(script: string, mac: string, rest: object = {}): Promise<string> {
    const wish = { simulator: { script, after: 0.2, ...rest } };
    const node = { driver: 'fake-hardware', inspect_interface: 'agent', extra: wish };
    const { uuid } = (await api.must(201, 'POST', '/v1/nodes', node)).json as { uuid: string };
    await api.must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: mac });
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    await api.state(uuid, 'manageable');
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    return uuid;
  }

  it('finishes with what the ramdisk posted, its token kept by nobody', async () => {
    const uuid = await inspected('succeed', macOf(1));
    await api.event(uuid, 'InspectionFinished');
    const node = await api.state(uuid, 'manageable');
    expect(node).toMatchObject({ power_state: 'power off', last_error: null, properties: { cpu_arch: 'x86_64' } });
    const { inventory } = (await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`)).json as {
      inventory: { interfaces: { mac_address: string }[] };
    };
    expect(inventory.interfaces[0]?.mac_address).toBe(macOf(1));
    const types = (await api.events(uuid)).map(({ type }) => type);
    expect(types.filter((type) => /^Agent|^InspectionResumed/.test(type))).toEqual([
      'AgentLookedUp',
      'AgentHeartbeat',
      'InspectionResumed',
    ]);
    expect((node as unknown as { driver_internal_info: object }).driver_internal_info).not.toHaveProperty(
      'agent_secret_token',
    );
  });

  it('fails with the words of the ramdisk', async () => {
    const uuid = await inspected('error', macOf(2), { message: 'no disks here' });
    expect((await api.state(uuid, 'inspect failed')).last_error).toContain('no disks here');
  });

  it('is aborted at once, and what comes after that is refused', async () => {
    const uuid = await inspected('after-abort', macOf(3));
    await api.state(uuid, 'inspect wait');
    // Its ramdisk is seen by a poll every 0.2 seconds; an abort before that would leave nobody to come late.
    await sleep(2000);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' });
    expect((await api.node(uuid)).last_error).toContain('aborted');
    await until('the refused data', () => /inspection data finds no node/.test(stack.logs()));
    expect((await api.node(uuid)).provision_state).toBe('inspect failed');
  });
});
