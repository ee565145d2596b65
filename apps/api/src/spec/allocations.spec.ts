/** Allocations over real HTTP. contract: other-resources.md §10; node-api.md §23 */
import { ApiHarness } from './api-harness';

let api: ApiHarness;
let node: string;
beforeEach(async () => {
  api = await ApiHarness.start();
  node = await api.node({ name: 'n', resource_class: 'gold' });
});
afterEach(() => api.stop());

const create = (body: Record<string, unknown>, version = '1.115') =>
  api.call('POST', '/v1/allocations', version, { resource_class: 'gold', ...body });

describe('allocations', () => {
  it('are created allocating, with the rendering of the version', async () => {
    const { status, headers, body } = await create({ name: 'lab', candidate_nodes: ['n'] }, '1.52');
    const path = `allocations/${body.uuid}`;
    expect([status, headers.get('location')]).toEqual([201, `${api.api.url}/v1/${path}`]);
    expect(body).toEqual({
      uuid: body.uuid,
      name: 'lab',
      node_uuid: null,
      state: 'allocating',
      last_error: null,
      resource_class: 'gold',
      traits: [],
      candidate_nodes: [node],
      extra: {},
      created_at: body.created_at,
      updated_at: null,
      links: [
        { href: `${api.api.url}/v1/${path}`, rel: 'self' },
        { href: `${api.api.url}/${path}`, rel: 'bookmark' },
      ],
    });
    expect(api.script.received.at(-1)?.command).toMatchObject({ kind: 'allocation', nodeUuid: null });
  });

  it.each<[Record<string, unknown>, string, number]>([
    [{ resource_class: undefined }, '1.115', 400],
    [{ bogus: 1 }, '1.115', 400],
    [{ state: 'active' }, '1.115', 400],
    [{ candidate_nodes: ['nope'] }, '1.115', 400],
    [{ candidate_nodes: [1] }, '1.115', 400],
    [{ candidate_nodes: 'n' }, '1.115', 400],
    [{ owner: 'me' }, '1.59', 406],
    [{ owner: 'me' }, '1.60', 201],
    [{ node: 'n' }, '1.57', 400],
    [{ node: 'n', resource_class: undefined }, '1.58', 201],
    [{ node: 'nope' }, '1.58', 400],
    [{ node: 1 }, '1.58', 400],
  ])('creation with %j at %s is %d', async (body, version, status) => {
    expect((await create(body, version)).status).toBe(status);
  });

  it('for a node in use have the UUID of its instance', async () => {
    const instance_uuid = '11111111-2222-4333-8444-555555555555';
    await api.script.set(node, { instance_uuid });
    expect((await create({ node: 'n' })).body.uuid).toBe(instance_uuid);
    expect(api.script.received.at(-1)?.command).toMatchObject({ uuid: instance_uuid, nodeUuid: node });
  });

  it('are found, listed whole, and filtered', async () => {
    const { body: one } = await create({ name: 'lab' });
    const { body: two } = await create({ resource_class: 'iron', owner: 'me' });
    await api.script.put('allocation', { ...one, state: 'active', node_uuid: node });
    const uuids = async (query: string) =>
      (await api.get(`/v1/allocations${query}`, '1.115')).body.allocations.map((each: { uuid: string }) => each.uuid);
    expect((await uuids('')).sort()).toEqual([one.uuid, two.uuid].sort());
    expect(await uuids('?node=n')).toEqual([one.uuid]);
    expect(await uuids('?state=active')).toEqual([one.uuid]);
    expect(await uuids('?resource_class=iron')).toEqual([two.uuid]);
    expect(await uuids('?owner=me')).toEqual([two.uuid]);
    const { body } = await api.get('/v1/allocations?fields=name', '1.115');
    expect(Object.keys(body.allocations[0])).toEqual(['name', 'links']);
    expect((await api.get('/v1/allocations', '1.115')).body.allocations[0]).toHaveProperty('candidate_nodes');
    expect((await api.get('/v1/allocations/lab', '1.52')).body.uuid).toBe(one.uuid);
    expect((await api.get('/v1/allocations/lab', '1.52')).body).not.toHaveProperty('owner');
    for (const [path, version, status] of [
      ['/v1/allocations/nope', '1.115', 404],
      ['/v1/allocations?node=nope', '1.115', 400],
      ['/v1/allocations?owner=me', '1.59', 406],
      ['/v1/allocations?bogus=1', '1.115', 400],
      ['/v1/allocations', '1.51', 404],
    ] as const)
      expect([path, (await api.get(path, version)).status]).toEqual([path, status]);
  });

  it.each<[string, unknown, string, number]>([
    ['/name', 'other', '1.57', 200],
    ['/extra', { a: 1 }, '1.57', 200],
    ['/resource_class', 'iron', '1.57', 400],
    ['/node_uuid', null, '1.57', 400],
    ['/name', 'other', '1.56', 405],
  ])('PATCH of %s to %j at %s is %d', async (path, value, version, status) => {
    const { body: one } = await create({ name: 'lab', extra: {} });
    const patch = [{ op: 'replace', path, value }];
    expect((await api.call('PATCH', `/v1/allocations/${one.uuid}`, version, patch)).status).toBe(status);
  });

  it('are deleted by name and UUID', async () => {
    await create({ name: 'lab' });
    expect((await api.call('DELETE', '/v1/allocations/lab', '1.52')).status).toBe(204);
    expect((await api.call('DELETE', '/v1/allocations/lab', '1.52')).status).toBe(404);
    expect((await api.call('DELETE', '/v1/allocations/lab', '1.51')).status).toBe(405);
  });
});

describe('the allocation of a node', () => {
  const path = '/v1/nodes/n/allocation';

  it('is 404 where there is none', async () => {
    expect((await api.get(path, '1.52')).status).toBe(404);
    expect((await api.call('DELETE', path, '1.52')).status).toBe(404);
    expect((await api.get('/v1/nodes/nope/allocation', '1.52')).status).toBe(404);
    expect((await api.get(path, '1.51')).status).toBe(404);
  });

  it('is shown and deleted there', async () => {
    const { body: one } = await create({ name: 'lab' });
    await api.script.set(node, { allocation_uuid: one.uuid });
    expect((await api.get(path, '1.52')).body).toMatchObject({ uuid: one.uuid, name: 'lab' });
    expect(Object.keys((await api.get(`${path}?fields=name`, '1.52')).body)).toEqual(['name', 'links']);
    expect((await api.call('DELETE', path, '1.52')).status).toBe(204);
    expect((await api.get(`/v1/allocations/${one.uuid}`, '1.52')).status).toBe(404);
  });
});
