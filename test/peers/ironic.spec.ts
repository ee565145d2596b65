import { freePorts, httpCall, macOf, startStack, until, type Stack } from '../stack';
import { Ironic, ironicPrograms } from './ironic';
import { describeWith } from './openstack-service';

jest.setTimeout(180_000);

describeWith('Ironic', ironicPrograms)('a real Ironic with our simulator as its inspector', () => {
  let stack: Stack;
  let ironic: Ironic;
  let numbers = 0;

  beforeAll(async () => {
    const [api = 0, rpc = 0] = await freePorts(2);
    const settings = { simulator: { api_endpoint: `http://127.0.0.1:${api}` } };
    stack = await startStack({ settings, layout: 'single', services: ['inspector-simulator'] });
    ironic = await Ironic.start({ api, rpc }, stack.inspectorUrl);
  }, 300_000);
  afterAll(async () => {
    await ironic?.stop();
    await stack?.stop();
  }, 60_000);

  /** In `inspect wait`, its machine played by this script. */
  async function inspected(script: object): Promise<string> {
    const body = { driver: 'fake-hardware', inspect_interface: 'inspector', extra: { simulator: script } };
    const { uuid } = (await ironic.must(201, 'POST', '/v1/nodes', body)).json as { uuid: string };
    await ironic.must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: macOf((numbers += 1)) });
    await ironic.provision(uuid, 'manage');
    await ironic.state(uuid, 'manageable');
    await ironic.provision(uuid, 'inspect');
    return uuid;
  }

  const simulator = async (
    method: string,
    path: string,
  ): Promise<{ status: number; json: Record<string, unknown> }> => {
    const { status, json } = await httpCall(stack.inspectorUrl, { method, path });
    return { status, json: json as Record<string, unknown> };
  };

  const simulatorHas = (uuid: string, state: string): Promise<Record<string, unknown>> =>
    until(
      `the simulator has ${uuid} "${state}"`,
      async () => {
        const { json } = await simulator('GET', `/v1/introspection/${uuid}`);
        return json['state'] === state && json;
      },
      { timeoutMs: 60_000 },
    );

  it('is inspected by it to the end: booted, described, and off again', async () => {
    const uuid = await inspected({ script: 'succeed', after: 0.2 });
    await simulatorHas(uuid, 'finished');
    const node = await ironic.state(uuid, 'manageable');
    expect(node).toMatchObject({ power_state: 'power off', last_error: null });
    // Its values, which are texts as those of a real inspector are.
    expect(node.properties).toMatchObject({
      cpu_arch: 'x86_64',
      cpus: expect.any(String),
      memory_mb: expect.any(String),
    });
    const { json } = await ironic.must(200, 'GET', `/v1/nodes/${uuid}/states`);
    expect(json).toMatchObject({ provision_state: 'manageable', target_provision_state: null });
  });

  it('fails with the words of the simulator', async () => {
    const uuid = await inspected({ script: 'error', message: 'no disks in this one', after: 0.2 });
    const { last_error: reason } = await ironic.state(uuid, 'inspect failed');
    expect(reason).toContain('no disks in this one');
  });

  it('has its aborts taken, once each, and starts again at once', async () => {
    const uuid = await inspected({ script: 'never' });
    await simulatorHas(uuid, 'waiting');
    await ironic.state(uuid, 'inspect wait');
    await ironic.provision(uuid, 'abort');
    expect((await ironic.state(uuid, 'inspect failed')).last_error).toMatch(/abort/i);
    expect(await simulatorHas(uuid, 'error')).toMatchObject({ finished: true, error: 'Canceled by operator' });
    const { json } = await simulator('GET', `/ferrolog/v1/simulator/log?node=${uuid}`);
    const asked = (json['entries'] as { ask: string; status: number }[]).filter(({ ask }) => ask === 'abort');
    expect(asked).toMatchObject([{ status: 202 }]);
    await ironic.provision(uuid, 'inspect');
    await simulatorHas(uuid, 'waiting');
    await ironic.state(uuid, 'inspect wait');
  });

  it('sees at its next look that the simulator was aborted', async () => {
    const uuid = await inspected({ script: 'never' });
    await simulatorHas(uuid, 'waiting');
    expect((await simulator('POST', `/v1/introspection/${uuid}/abort`)).status).toBe(202);
    expect((await ironic.state(uuid, 'inspect failed')).last_error).toContain('Canceled by operator');
  });
});
