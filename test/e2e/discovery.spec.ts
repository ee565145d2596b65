import { Api, macOf, ramdiskReport, startStack, until, type Stack } from '../stack';

jest.setTimeout(180_000);

describe('a machine that nobody knows', () => {
  let stack: Stack;
  let api: Api;
  beforeAll(async () => {
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'agent, no-inspect', default_inspect_interface: 'agent' },
      auto_discovery: { enabled: 'true', driver: 'fake-hardware' },
    };
    stack = await startStack({ settings, layout: 'single', services: ['conductor', 'scheduler', 'api'] });
    api = new Api(stack.apiUrl);
  }, 240_000);
  afterAll(() => stack?.stop(), 60_000);

  it('boots a ramdisk by itself, is a node from then on, and is taken into service', async () => {
    const answer = await api.must(202, 'POST', '/v1/continue_inspection', ramdiskReport(macOf(1)));
    const { uuid } = (answer.json as { node: { uuid: string } }).node;
    await api.event(uuid, 'DiscoveryFinished');
    const known = { provision_state: 'enroll', driver: 'fake-hardware', properties: { cpu_arch: 'x86_64' } };
    expect(await api.node(uuid)).toMatchObject(known);
    const { json: ports } = await api.must(200, 'GET', `/v1/ports?node=${uuid}`);
    expect(ports).toMatchObject({ ports: [{ address: macOf(1) }] });
    const { json: inventory } = await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`);
    expect(inventory).toMatchObject({ plugin_data: { auto_discovered: true } });
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    await api.state(uuid, 'manageable');
    await api.must(202, 'POST', `/ferrolog/v1/nodes/${uuid}/inventory/reprocess`);
    await until('the new attempt', async () =>
      (await api.events(uuid)).some(({ type }) => type === 'InspectionFinished'),
    );
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
  });
});
