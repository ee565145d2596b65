/** Creation and reading of nodes over real HTTP with a scripted conductor. contract: node-api.md §1-5, §18-20 */
import { createHash, randomUUID } from 'node:crypto';
import type { Command } from '@lib/contracts';
import { ApiHarness } from './api-harness';

let api: ApiHarness;
beforeEach(async () => {
  api = await ApiHarness.start([{ section: 'api', name: 'max_limit', text: '4', source: 'spec' }]);
});
afterEach(() => api.stop());

const lastCommand = (): Command | undefined => api.script.received.at(-1)?.command;
const faultOf = async (sent: Promise<{ status: number; fault: { faultstring?: string } }>) => {
  const { status, fault } = await sent;
  return `${status} ${fault?.faultstring ?? JSON.stringify(fault)}`;
};
const create = (body: Record<string, unknown>, version = '1.115') =>
  api.call('POST', '/v1/nodes', version, { driver: 'fake-hardware', ...body });
const patch = (ident: string, operations: unknown, version = '1.115') =>
  api.call('PATCH', `/v1/nodes/${ident}`, version, operations);

describe('creation', () => {
  it('answers 201 with Location and the rendering of the version', async () => {
    const { status, body, headers } = await create({ name: 'n1', extra: { a: 1 } }, '1.10');
    expect([status, body.name, body.extra, body.provision_state]).toEqual([201, 'n1', { a: 1 }, 'available']);
    expect(headers.get('location')).toBe(`${api.api.url}/v1/nodes/${body.uuid}`);
    expect(body).not.toHaveProperty('inspect_interface');
    expect(lastCommand()).toMatchObject({ type: 'CreateNode', initialState: 'available', fields: { name: 'n1' } });
  });

  it.each<[Record<string, unknown>, string, RegExp]>([
    [{ bogus: 1 }, '1.115', /^400 Schema error.*bogus/],
    [{ driver: null }, '1.115', /^400 Schema error.*driver/],
    [{ extra: [] }, '1.115', /^400 Schema error.*extra/],
    [{ uuid: 'x' }, '1.115', /^400 Schema error.*uuid/],
    [{ protected: false }, '1.115', /^400 .*protected/],
    [{ resource_class: 'x'.repeat(81) }, '1.115', /^400 .*resource_class/],
    [{ maintenance: 'maybe' }, '1.115', /^400 .*maintenance/],
    [{ resource_class: 'x' }, '1.20', /^406 .*1\.21/],
    [{ name: 'n' }, '1.4', /^406 /],
    [{ name: 'Upper' }, '1.9', /^400 /],
    [{ name: 'detail' }, '1.115', /^400 .*reserved/],
    [{ name: '.' }, '1.115', /^400 .*no valid logical name/],
    [{ name: '..' }, '1.10', /^400 .*no valid logical name/],
    [{ name: '11111111-2222-4333-8444-555555555555' }, '1.115', /^400 /],
    [{ owner: 'me' }, '1.115', /^400 .*owner/],
    [{ chassis_uuid: randomUUID() }, '1.115', /^400 Chassis/],
    [{ parent_node: 'nobody' }, '1.115', /^400 .*could not be found/],
    [{ driver: 'nope' }, '1.115', /^400 No valid host was found.*nope/],
    [{ conductor_group: 'g' }, '1.115', /^400 No valid host was found.*"g"/],
    [{ driver_info: { inspect_wait_timeout: 'soon' } }, '1.115', /^400 .*inspect_wait_timeout/],
    [{ driver_info: { inspect_wait_timeout: -1 } }, '1.115', /^400 .*inspect_wait_timeout/],
    [{ network_data: { networks: [] } }, '1.115', /^400 .*network_data/],
  ])('refuses %j at %s', async (body, version, text) => {
    expect(await faultOf(create(body, version))).toMatch(text);
    expect(api.script.received).toHaveLength(0);
  });

  it('tolerates empty values that older clients send', async () => {
    expect((await create({ name: null, conductor_group: '' }, '1.1')).status).toBe(201);
  });

  it('gives the conductor booleans for words, and UUIDs in one spelling', async () => {
    await create({ maintenance: 'Yes', uuid: 'AAAAAAAA00004000800000000000000A' });
    expect(lastCommand()).toMatchObject({
      uuid: 'aaaaaaaa-0000-4000-8000-00000000000a',
      fields: { maintenance: true },
    });
  });

  it('passes a refusal of the conductor on', async () => {
    api.script.answer = () => ({ ok: false, code: 'DUPLICATE_NAME', message: 'A node with name n1 already exists.' });
    expect(await faultOf(create({ name: 'n1' }))).toBe('409 A node with name n1 already exists.');
  });
});

describe('reading', () => {
  it('finds by UUID and name, and by name from 1.5 only', async () => {
    const uuid = await api.node({ name: 'a.b' });
    for (const ident of [uuid, uuid.toUpperCase(), 'a.b'])
      expect((await api.get(`/v1/nodes/${ident}`, '1.115')).body.uuid).toBe(uuid);
    expect(await faultOf(api.get('/v1/nodes/a.b', '1.4'))).toBe('404 Node a.b could not be found.');
  });

  it('cuts .json below 1.91 only when a version is sent, and still finds names that end so', async () => {
    await api.node({ name: 'plain' });
    await api.node({ name: 'odd.json' });
    const names = async (path: string, version?: string) => (await api.get(path, version)).body?.name ?? 404;
    expect(await names('/v1/nodes/plain.json', '1.90')).toBe('plain');
    expect(await names('/v1/nodes/odd.json', '1.90')).toBe('odd.json');
    expect(await names('/v1/nodes/plain.json', '1.91')).toBe(404);
    expect((await api.get('/v1/nodes.json', '1.39')).status).toBe(200);
  });

  it('shows inspect wait as inspecting below 1.39, everywhere, and filters by the real name [1.10, 1.16, 1.17]', async () => {
    const uuid = await api.node(
      { name: 'w' },
      { provision_state: 'inspect wait', target_provision_state: 'manageable' },
    );
    const shown = async (version: string) => {
      const paths = [
        `/v1/nodes/${uuid}`,
        `/v1/nodes/${uuid}/states`,
        '/v1/nodes',
        '/v1/nodes/detail',
        '/v1/nodes?fields=provision_state',
      ];
      const bodies = await Promise.all(paths.map(async (path) => (await api.get(path, version)).body));
      const patched = (await patch(uuid, [], version)).body;
      return new Set([...bodies, patched].map((body) => (body.nodes?.[0] ?? body).provision_state));
    };
    expect(await shown('1.38')).toEqual(new Set(['inspecting']));
    expect(await shown('1.39')).toEqual(new Set(['inspect wait']));
    expect((await api.get('/v1/nodes?provision_state=inspect%20wait', '1.38')).body.nodes).toHaveLength(1);
    expect((await api.get('/v1/nodes?provision_state=inspecting', '1.38')).body.nodes).toHaveLength(0);
  });

  it('masks secrets by name, and sealed values wherever they are', async () => {
    const sealed = { sealed: 'k', iv: 'i', tag: 't', data: 'd' };
    const uuid = await api.node(
      {},
      {
        driver_info: { redfish_password: sealed, odd: [sealed], redfish_address: 'x' },
        instance_info: { configdrive: 'abc' },
      },
    );
    const { text, body } = await api.get(`/v1/nodes/${uuid}`, '1.115');
    expect(body.driver_info).toEqual({ redfish_password: '******', odd: ['******'], redfish_address: 'x' });
    expect(body.instance_info).toEqual({ configdrive: '******' });
    expect(text).not.toContain('"tag"');
  });

  it('names the conductor that serves the node', async () => {
    const uuid = await api.node({}, {});
    expect((await api.get(`/v1/nodes/${uuid}?fields=conductor`, '1.49')).body.conductor).toBe('rack-1');
    await api.script.set(uuid, { conductor_group: 'far' });
    expect((await api.get(`/v1/nodes/${uuid}?fields=conductor`, '1.49')).body.conductor).toBeNull();
  });

  it.each([
    ['?fields=bogus', '1.115', /^400 .*bogus/],
    ['?fields=links', '1.115', /^400 /],
    ['?fields=owner', '1.49', /^406 /],
    ['?fields=uuid', '1.7', /^406 /],
    ['?detail=true', '1.115', /^400 Unexpected/],
    ['/bogus', '1.115', /^400 .*not a valid field/],
  ])('refuses GET of one with %s at %s', async (rest, version, text) => {
    const uuid = await api.node();
    expect(await faultOf(api.get(`/v1/nodes/${uuid}${rest}`, version))).toMatch(text);
  });

  it('gives history and inventory as they are stored', async () => {
    const uuid = await api.node();
    const event = 'x'.repeat(300);
    const ids = [randomUUID(), randomUUID()];
    for (const [at, id] of ids.entries()) {
      const created_at = `2026-11-30T09:12:4${at}.000000+00:00`;
      await api.script.put('node_history', {
        uuid: id,
        node_uuid: uuid,
        created_at,
        severity: 'ERROR',
        event,
        event_type: 'introspection',
      });
    }
    const list = (await api.get(`/v1/nodes/${uuid}/history?limit=1`, '1.115')).body;
    expect(list.history).toEqual([
      {
        uuid: ids[0],
        created_at: '2026-11-30T09:12:40.000000+00:00',
        severity: 'ERROR',
        event: `${'x'.repeat(251)}...`,
        links: [{ href: `${api.api.url}/v1/nodes/${uuid}/history/${ids[0]}`, rel: 'self' }],
      },
    ]);
    expect(list.next).toBe(
      `${api.api.url}/v1/nodes/${uuid}/history?sort_key=created_at&sort_dir=asc&limit=1&marker=${ids[0]}`,
    );
    const one = (await api.get(`/v1/nodes/${uuid}/history/${ids[1]}`, '1.112')).body;
    expect([one.event, one.event_type, 'project' in one]).toEqual([event, 'introspection', false]);
    expect((await api.get(`/v1/nodes/${uuid}/history/detail`, '1.115')).status).toBe(404);
    expect((await api.get(`/v1/nodes/${uuid}/inventory`, '1.115')).status).toBe(404);
    await storeInventory(uuid, '{"cpu":{"count":4}}', '{"logs":"x"}');
    expect((await api.get(`/v1/nodes/${uuid}/inventory`, '1.81')).body).toEqual({
      inventory: { cpu: { count: 4 } },
      plugin_data: { logs: 'x' },
    });
  });

  async function storeInventory(uuid: string, inventory: string, pluginData: string): Promise<void> {
    const blobs = [inventory, pluginData].map((text) => ({
      hash: createHash('sha256').update(text).digest('hex'),
      bytes: Buffer.from(text),
    }));
    const json = JSON.stringify({ inventory: blobs[0]?.hash, plugin_data: blobs[1]?.hash });
    await api.script.change(
      [{ change: 'put', kind: 'node_inventory', id: uuid, version: 1, json, columns: {} }],
      blobs,
    );
  }
});

describe('lists', () => {
  it('pages in the order of creation, with a next link that keeps the filters', async () => {
    const uuids = [];
    for (const name of ['c', 'a', 'b']) uuids.push(await api.node({ name, resource_class: 'rc' }));
    const first = (await api.get('/v1/nodes?limit=2&resource_class=rc', '1.115')).body;
    expect(first.nodes.map((one: { name: string }) => one.name)).toEqual(['c', 'a']);
    expect(first.next).toBe(
      `${api.api.url}/v1/nodes?sort_key=id&sort_dir=asc&resource_class=rc&fields=instance_uuid,maintenance,power_state,provision_state,uuid,name&limit=2&marker=${uuids[1]}`,
    );
    const second = (await api.get(new URL(first.next).pathname + new URL(first.next).search, '1.115')).body;
    expect([second.nodes.length, second.next]).toEqual([1, undefined]);
    const sorted = (await api.get('/v1/nodes?sort_key=name&sort_dir=desc&fields=name', '1.115')).body.nodes;
    expect(sorted.map((one: { name: string }) => one.name)).toEqual(['c', 'b', 'a']);
  });

  it('caps the limit, leaves children out, and filters', async () => {
    const parent = await api.node({ name: 'p' });
    await api.node({ parent_node: 'p', name: 'child' });
    for (const name of ['x', 'y', 'z'])
      await api.node(
        { name },
        name === 'x'
          ? { instance_uuid: randomUUID(), owner: 'al' }
          : { description: name === 'y' ? 'A Blue rack' : null },
      );
    const names = async (query: string) =>
      (await api.get(`/v1/nodes?fields=name&${query}`, '1.115')).body.nodes.map((one: { name: string }) => one.name);
    expect(await names('limit=100')).toEqual(['p', 'x', 'y', 'z']);
    expect(await names(`parent_node=${parent}`)).toEqual(['child']);
    expect(await names('include_children=true&limit=2')).toEqual(['p', 'child']);
    expect(await names('associated=True')).toEqual(['x']);
    expect(await names('project=al')).toEqual(['x']);
    expect(await names('conductor=nope')).toEqual([]);
    expect(await names('description_contains=bLUE')).toEqual(['y']);
    expect((await api.get(`/v1/nodes/p/children`, '1.83')).body.children).toHaveLength(1);
    expect((await api.get('/v1/shards', '1.82')).body).toEqual({ shards: [{ name: 'None', count: 5 }] });
  });

  it.each([
    ['bogus=1', '1.115', /^400 Unexpected arguments/],
    ['limit=0', '1.115', /^400 /],
    ['limit=', '1.115', /^400 /],
    ['marker=x', '1.115', /^400 /],
    ['marker=11111111-2222-4333-8444-555555555555', '1.115', /^404 /],
    ['sort_key=driver_info', '1.115', /^400 /],
    ['sort_key=owner', '1.49', /^406 /],
    ['sort_dir=up', '1.115', /^400 /],
    ['detail=true', '1.42', /^400 /],
    ['detail=true&fields=uuid', '1.115', /^400 /],
    ['provision_state=deleted', '1.115', /^400 /],
    ['provision_state=enroll', '1.8', /^406 /],
    ['provision_state=enroll&provision_state=active', '1.115', /^400 /],
    ['fault=bogus', '1.115', /^400 /],
    ['maintenance=', '1.115', /^400 /],
    ['chassis_uuid=11111111-2222-4333-8444-555555555555', '1.115', /^404 /],
  ])('refuses ?%s at %s', async (query, version, text) =>
    expect(await faultOf(api.get(`/v1/nodes?${query}`, version))).toMatch(text),
  );
});
