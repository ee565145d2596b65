import { Api, enroll, inspect, inspectorWaits, macOf, ramdiskReport, startStack, type Stack } from '../stack';

jest.setTimeout(180_000);

describe('data that a ramdisk posts to the API of a node whose inspector is our simulator', () => {
  let stack: Stack;
  let api: Api;

  beforeAll(async () => {
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'inspector, no-inspect' },
      conductor: { automated_clean: 'false' },
      inspector: { status_check_period: '1', require_managed_boot: 'false', timeout: '4' },
    };
    stack = await startStack({ settings, layout: 'services' });
    api = new Api(stack.apiUrl);
  }, 240_000);
  afterAll(() => stack?.stop(), 60_000);

  /** The node waits, and no ramdisk of the simulator's own will ever call back. */
  async function waiting(n: number): Promise<string> {
    const uuid = await enroll(api, { mac: macOf(n), script: 'never' });
    await inspect(api, uuid);
    await inspectorWaits(stack.inspectorUrl, uuid);
    return uuid;
  }
  const post = (n: number) => api.must(202, 'POST', '/v1/continue_inspection', ramdiskReport(macOf(n)));

  it('ends the inspection by way of that inspector', async () => {
    const uuid = await waiting(1);
    expect((await post(1)).json).toMatchObject({ node: { uuid } });
    expect(await api.state(uuid, 'manageable')).toMatchObject({ last_error: null });
    const { json } = await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`);
    expect(json).toMatchObject({ plugin_data: { macs: [macOf(1)] } });
    const types = (await api.events(uuid)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('Inspection'))).toEqual([
      'InspectionStarted',
      'InspectionWaiting',
      'InspectionResumed',
      'InspectionWaiting',
      'InspectionFinished',
    ]);
  });

  it('fails it where that inspector stands still, and an abort says so as well', async () => {
    const [posted, aborted] = [await waiting(3), await waiting(4)];
    await stack.kill('inspector-simulator', 'SIGSTOP');
    try {
      await post(3);
      const { status, text } = await api.provision(aborted, 'abort', 30_000);
      expect([status, text]).toEqual([500, expect.stringMatching(/Failed to abort inspection: the inspector did not/)]);
      const { last_error: reason } = await api.state(posted, 'inspect failed');
      expect(reason).toBe('Failed to finish inspection: the inspector did not answer within 4 seconds');
    } finally {
      await stack.kill('inspector-simulator', 'SIGCONT');
    }
  });

  it('fails it where that inspector is gone', async () => {
    const uuid = await waiting(2);
    await stack.kill('inspector-simulator', 'SIGKILL');
    await post(2);
    const { last_error: reason } = await api.state(uuid, 'inspect failed');
    expect(reason).toMatch(/^Failed to finish inspection: no inspector is running/);
  });
});
