import { Api, enroll, inspect, inspectorWaits, macOf, startStack, until, type Stack } from '../stack';
import { IntrospectionClient, sdkIsThere } from './introspection-client';
import { commandsMissing, IntrospectionCommands } from './introspection-commands';

/** Both clients of the field against the simulator, and what becomes of our nodes. */
const withClient = sdkIsThere() ? describe : describe.skip;
if (!sdkIsThere()) process.stdout.write('SKIPPED the introspection client: apt-get install python3-openstacksdk\n');
const missing = commandsMissing();
const withCommands = missing === null ? describe : describe.skip;
if (missing !== null) process.stdout.write(`SKIPPED the commands of introspection: ${missing}\n`);

jest.setTimeout(180_000);

let stack: Stack;
let api: Api;

beforeAll(async () => {
  if (!sdkIsThere() && missing !== null) return;
  const settings = {
    DEFAULT: { enabled_inspect_interfaces: 'inspector, no-inspect' },
    conductor: { automated_clean: 'false' },
    inspector: { status_check_period: '1', require_managed_boot: 'false' },
  };
  stack = await startStack({ settings, layout: 'single' });
  api = new Api(stack.apiUrl);
}, 300_000);
afterAll(() => stack?.stop(), 60_000);

/** A machine of ours in `inspect wait`, of which the inspector waits for a ramdisk that never posts. */
async function waiting(mac: string): Promise<string> {
  const uuid = await enroll(api, { mac, script: 'never' });
  await inspect(api, uuid);
  await inspectorWaits(stack.inspectorUrl, uuid);
  return uuid;
}

withClient("openstacksdk's introspection, at the simulator", () => {
  let client: IntrospectionClient;

  beforeAll(() => {
    client = new IntrospectionClient(stack.inspectorUrl);
  });
  afterAll(() => client?.stop(), 60_000);

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
    const uuid = await waiting(macOf(3));
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

/** Debian 11's python3-ironic-inspector-client in Debian 12's `openstack`, as an operator types it. */
withCommands('openstack baremetal introspection, at the simulator', () => {
  let typed: IntrospectionCommands;
  let uuid: string;

  beforeAll(async () => {
    typed = new IntrospectionCommands(stack.inspectorUrl);
    uuid = await enroll(api, { mac: macOf(11), script: 'succeed', after: 0.2 });
  });
  afterAll(() => typed?.close(), 60_000);

  const saved = async (...words: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await typed.done('data', 'save', ...words)) as Record<string, unknown>;
  const ended = (error: string | null): Promise<unknown> =>
    until(`the introspection ended with ${error}`, async () => {
      const shown = await typed.json('status', uuid);
      return shown['finished'] === true && shown['error'] === error;
    });
  const extra = async (): Promise<unknown> =>
    ((await api.must(200, 'GET', `/v1/nodes/${uuid}`)).json as { extra: Record<string, unknown> }).extra['rack'];

  it('start and status: a machine is introspected, and somebody else having done it moves no node of ours', async () => {
    // Not with --wait, which looks every ten seconds.
    expect(await typed.json('start', uuid)).toEqual([]);
    await ended(null);
    expect(await typed.json('status', uuid)).toMatchObject({ uuid, finished: true, error: null, state: 'finished' });
    expect((await api.node(uuid)).provision_state).toBe('manageable');
    expect(await typed.refused('start', 'nobody')).toContain('nobody');
  });

  it('data save: as processed, and as the ramdisk posted it', async () => {
    const processed = await saved(uuid);
    expect(processed).toMatchObject({ macs: expect.arrayContaining([macOf(11)]), cpus: expect.any(Number) });
    const raw = await saved(uuid, '--unprocessed');
    expect(raw).toMatchObject({ inventory: processed['inventory'] });
    expect(JSON.stringify(raw)).toContain(macOf(11));
    expect(raw).not.toHaveProperty('cpus');
  });

  it('interface list and show: what the data says of a network interface', async () => {
    const listed = await typed.json<Record<string, unknown>[]>('interface', 'list', uuid);
    const ours = listed.find((one) => one['MAC Address'] === macOf(11));
    const shown = await typed.json('interface', 'show', uuid, String(ours?.['Interface']));
    expect(JSON.stringify(shown)).toContain(macOf(11));
  });

  it('rule import, list, show, delete, purge, and reprocess: the rules are those that the stored data meets', async () => {
    const named = { description: 'rack', actions: [{ action: 'set-attribute', path: '/extra/rack', value: 'r7' }] };
    const failing = { description: 'small', actions: [{ action: 'fail', message: 'too small for us' }] };
    const file = typed.file('rules.json', JSON.stringify([named, failing]));
    const imported = await typed.json<{ UUID: string; Description: string }[]>('rule', 'import', file);
    expect(imported.map(({ Description }) => Description)).toEqual(['rack', 'small']);
    expect(await typed.json('rule', 'list')).toEqual(imported);
    const small = String(imported[1]?.UUID);
    expect(await typed.json('rule', 'show', small)).toMatchObject({ uuid: small, actions: [failing.actions[0]] });

    await typed.done('reprocess', uuid);
    await ended('too small for us');
    await typed.done('rule', 'delete', small);
    await typed.done('reprocess', uuid);
    await ended(null);
    expect(await extra()).toBe('r7');
    await typed.done('rule', 'purge');
    expect(await typed.json('rule', 'list')).toEqual([]);
  });

  it('abort: our node ends at the next look, with the words of the operator [1.19, 2.2, 2.19]', async () => {
    const ours = await waiting(macOf(12));
    expect(await typed.json('status', ours)).toMatchObject({ finished: false, state: 'waiting' });
    await typed.done('abort', ours);
    expect((await api.state(ours, 'inspect failed')).last_error).toBe(
      'ironic-inspector inspection failed: Canceled by operator',
    );
    expect(await typed.json('status', ours)).toMatchObject({ state: 'error', error: 'Canceled by operator' });
    expect(await typed.refused('abort', 'nobody')).toContain('nobody');
  });

  it('list: the newest first, page by page', async () => {
    const all = await typed.json<{ UUID: string; Error: string | null }[]>('list');
    expect(all.slice(0, 2)).toMatchObject([{ Error: 'Canceled by operator' }, { UUID: uuid, Error: null }]);
    const [newest, second] = all;
    expect(await typed.json('list', '--limit', '1')).toEqual([newest]);
    expect(await typed.json('list', '--limit', '1', '--marker', String(newest?.UUID))).toEqual([second]);
  });

  it('there is no command that was not typed', async () => {
    expect(await typed.untyped()).toEqual([]);
  });
});
