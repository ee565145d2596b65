import { Api, enroll, inspectorState, macOf, startStack, type Stack } from '../stack';
import { HoldingInspector } from './holding-inspector';

jest.setTimeout(240_000);

describe('a conductor that never gets the answer of its inspector into its log', () => {
  let stack: Stack;
  let inspector: HoldingInspector;
  let api: Api;

  beforeAll(async () => {
    inspector = await HoldingInspector.open();
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'inspector, no-inspect' },
      conductor: { automated_clean: 'false' },
      // It is killed while it waits for its answer, however long this machine takes for the rest.
      inspector: {
        endpoint_override: inspector.url,
        timeout: '120',
        status_check_period: '1',
        require_managed_boot: 'false',
      },
    };
    stack = await startStack({ settings, layout: 'services' });
    inspector.target = stack.inspectorUrl;
    api = new Api(stack.apiUrl);
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    await inspector?.close();
  }, 60_000);

  it('since it is killed, takes the run that is starting for the start that it asked for', async () => {
    const uuid = await enroll(api, { mac: macOf(1), script: 'succeed', after: 0.2 });
    const accepted = inspector.holdStart();
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    expect(await accepted).toBe(202);
    // It asks for power through our API, and a node does one thing at a time: no more happens while the answer is held.
    expect(await inspectorState(stack.inspectorUrl, uuid)).toBe('starting');
    await stack.kill('conductor', 'SIGKILL');
    await stack.restart('conductor');
    expect(await api.state(uuid, 'manageable', { timeoutMs: 90_000 })).toMatchObject({ last_error: null });
    expect(inspector.starts(uuid)).toBe(1);
    await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`);
  });

  it('since the connection is reset, takes the run for the start that it asked for', async () => {
    const uuid = await enroll(api, { mac: macOf(2), script: 'succeed', after: 0.2 });
    const accepted = inspector.loseStart();
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    expect(await accepted).toBe(202);
    expect(await api.state(uuid, 'manageable', { timeoutMs: 90_000 })).toMatchObject({ last_error: null });
    expect(inspector.starts(uuid)).toBe(1);
  });
});
