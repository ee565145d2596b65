import { Api, enroll, inspect, inspectorWaits, macOf, startStack, type Stack } from '../stack';
import { IntrospectionClient, sdkIsThere } from './introspection-client';

/**
 * openstacksdk (Debian: python3-openstacksdk) against the simulator, and what becomes of our nodes. Debian 12's
 * python3-ironic-inspector-client has no files but its changelog, so it is this client that is driven.
 */
const isThere = sdkIsThere();
if (!isThere) process.stdout.write('SKIPPED the introspection client: apt-get install python3-openstacksdk\n');
const withClient = isThere ? describe : describe.skip;

jest.setTimeout(180_000);

withClient("openstacksdk's introspection, at the simulator", () => {
  let stack: Stack;
  let api: Api;
  let client: IntrospectionClient;

  beforeAll(async () => {
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'inspector, no-inspect' },
      conductor: { automated_clean: 'false' },
      inspector: { status_check_period: '1', require_managed_boot: 'false' },
    };
    stack = await startStack({ settings, layout: 'single' });
    api = new Api(stack.apiUrl);
    client = new IntrospectionClient(stack.inspectorUrl);
  }, 300_000);
  afterAll(async () => {
    await client?.stop();
    await stack?.stop();
  }, 60_000);

  it('starts an introspection, waits for it, and saves its data', async () => {
    const uuid = await enroll(api, { mac: macOf(1), script: 'succeed', after: 0.2 });
    expect(await client.value('start_introspection', [uuid])).toMatchObject({ id: uuid, is_finished: false });
    const ended = await client.value('wait_for_introspection', [uuid], { timeout: 60 });
    expect(ended).toMatchObject({ id: uuid, is_finished: true, error: null, state: 'finished' });
    const saved = await client.value('get_introspection_data', [uuid]);
    expect(saved).toMatchObject({ cpus: expect.any(Number), inventory: { interfaces: expect.any(Array) } });
    const raw = await client.value('get_introspection_data', [uuid], { processed: false });
    expect(raw).toMatchObject({ inventory: saved['inventory'] });
    expect(raw).not.toHaveProperty('cpus');
    // A machine that somebody else inspects is not moved by it.
    expect((await api.node(uuid)).provision_state).toBe('manageable');
  });

  it('starts one whose machine is booted by somebody else', async () => {
    const uuid = await enroll(api, { mac: macOf(2), script: 'never' });
    await client.value('start_introspection', [uuid], { manage_boot: false });
    expect(await client.value('get_introspection', [uuid])).toMatchObject({ state: 'waiting' });
    expect((await api.node(uuid)).power_state).not.toBe('power on');
  });

  it('aborts, which ends our node at the next look, with the words of the operator [1.19]', async () => {
    const uuid = await enroll(api, { mac: macOf(3), script: 'never' });
    await inspect(api, uuid);
    await inspectorWaits(stack.inspectorUrl, uuid);
    expect(await client.value('get_introspection', [uuid])).toMatchObject({ is_finished: false, state: 'waiting' });
    await client.value('abort_introspection', [uuid], { ignore_missing: false });
    const { last_error: reason } = await api.state(uuid, 'inspect failed');
    expect(reason).toBe('ironic-inspector inspection failed: Canceled by operator');
    const refused = await client.call('wait_for_introspection', [uuid], { timeout: 10 });
    expect(refused).toMatchObject({ refused: expect.stringContaining('Canceled by operator') });
  });

  it('lists introspections, newest first, page by page', async () => {
    const all = await client.value<{ id: string }[]>('introspections');
    expect(all.length).toBeGreaterThanOrEqual(3);
    const paged = await client.value<{ id: string }[]>('introspections', [], { limit: 1 });
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  it('hears that a node is unknown', async () => {
    const missing = '00000000-0000-4000-8000-00000000dead';
    const kind = 'ResourceNotFound';
    expect(await client.call('start_introspection', [missing])).toMatchObject({ kind });
    expect(await client.call('get_introspection', [missing])).toMatchObject({ kind });
    expect(await client.call('get_introspection_data', [missing])).toMatchObject({ kind });
    expect(await client.call('abort_introspection', [missing], { ignore_missing: false })).toMatchObject({ kind });
  });

  it('has no method that was not called', async () => {
    expect((await client.methods).filter((name) => !client.called.has(name))).toEqual([]);
  });
});
