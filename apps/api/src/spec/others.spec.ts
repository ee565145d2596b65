/** Ports, drivers, conductors and a node's events over real HTTP. contract: other-resources.md */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@lib/adapters/system-clock';
import { ConductorBoard } from '../conductors';
import { ApiHarness } from './api-harness';

let api: ApiHarness;
let node: string;
beforeEach(async () => {
  api = await ApiHarness.start();
  node = await api.node({ name: 'n' });
});
afterEach(() => api.stop());

const MAC = '52:54:00:aa:bb:cc';
const create = (body: Record<string, unknown>, version = '1.115') =>
  api.call('POST', '/v1/ports', version, { node_uuid: node, address: MAC, ...body });

describe('ports', () => {
  it('are created with the rendering of the version', async () => {
    const { status, headers, body } = await create({ address: MAC.toUpperCase() }, '1.18');
    const path = `ports/${body.uuid}`;
    expect([status, headers.get('location')]).toEqual([201, `${api.api.url}/v1/${path}`]);
    expect(body).toEqual({
      uuid: body.uuid,
      address: MAC,
      node_uuid: node,
      extra: {},
      internal_info: {},
      created_at: body.created_at,
      updated_at: null,
      links: [
        { href: `${api.api.url}/v1/${path}`, rel: 'self' },
        { href: `${api.api.url}/${path}`, rel: 'bookmark' },
      ],
    });
  });

  it.each<[Record<string, unknown>, string, number]>([
    [{ address: '52-54-00-aa-bb-dd' }, '1.82', 400],
    [{ address: undefined }, '1.82', 400],
    [{ node_uuid: undefined }, '1.82', 400],
    [{ node_uuid: 'n' }, '1.82', 400],
    [{ node_uuid: '11111111-2222-4333-8444-555555555555' }, '1.82', 400],
    [{ bogus: 1 }, '1.82', 400],
    [{ local_link_connection: { foo: 'bar' } }, '1.82', 400],
    [{ local_link_connection: { network_type: 'unmanaged' } }, '1.63', 406],
    [{ pxe_enabled: true }, '1.18', 406],
    [{ name: 'eth0' }, '1.87', 406],
    [{ physical_network: '' }, '1.82', 400],
    [{ node_ident: 'n' }, '1.115', 400],
    [{ node_uuid: undefined, node_ident: 'n' }, '1.93', 406],
    [{ node_uuid: undefined, node_ident: 'n' }, '1.94', 201],
  ])('creation with %j at %s is %d', async (body, version, status) => {
    expect((await create(body, version)).status).toBe(status);
  });

  it('says 400 when the node vanished between the look and the command', async () => {
    api.script.answer = () => ({ ok: false, code: 'NODE_NOT_FOUND', message: 'gone' });
    expect((await create({})).status).toBe(400);
  });

  it('are listed, filtered, and found by UUID and name', async () => {
    const { body: port } = await create({ name: 'eth0' });
    const other = await api.node({ name: 'o', shard: 's' });
    await create({ node_uuid: other, address: '52:54:00:aa:bb:01' });
    const addresses = async (query: string) =>
      (await api.get(`/v1/ports${query}`, '1.115')).body.ports.map((one: { address: string }) => one.address);
    expect(await addresses('')).toHaveLength(2);
    expect(await addresses('?node=n')).toEqual([MAC]);
    expect(await addresses(`?address=${MAC.toUpperCase()}`)).toEqual([MAC]);
    expect(await addresses('?shard=S')).toEqual(['52:54:00:aa:bb:01']);
    expect(await addresses('?sort_key=address&limit=1&fields=address')).toEqual(['52:54:00:aa:bb:01']);
    expect((await api.get(`/v1/nodes/n/ports`, '1.115')).body.ports).toHaveLength(1);
    expect((await api.get(`/v1/nodes/n/ports/detail`, '1.115')).body.ports[0].pxe_enabled).toBe(true);
    expect((await api.get('/v1/ports/eth0', '1.115')).body.uuid).toBe(port.uuid);
    for (const [path, status] of [
      ['/v1/ports/nope', 404],
      [`/v1/ports/${MAC}`, 400],
      ['/v1/ports?node=nope', 404],
      ['/v1/ports?node=n&shard=s', 403],
      ['/v1/ports?name=x', 400],
      ['/v1/ports?address=zz', 400],
      [`/v1/nodes/n/ports/${port.uuid}`, 400],
    ] as const) {
      expect([path, (await api.get(path, '1.115')).status]).toEqual([path, status]);
    }
  });

  it('are patched and removed by UUID', async () => {
    const { body: port } = await create({});
    const other = await api.node({ name: 'o' });
    const patch = (operations: unknown, version = '1.115') =>
      api.call('PATCH', `/v1/ports/${port.uuid}`, version, operations);
    const moved = await patch([{ op: 'replace', path: '/node_uuid', value: other }]);
    expect([moved.status, moved.body.node_uuid]).toEqual([200, other]);
    expect(api.script.received.at(-1)?.command).toMatchObject({
      type: 'PatchResource',
      kind: 'port',
      nodeUuid: node,
      minor: 115,
    });
    expect((await patch([{ op: 'replace', path: '/uuid', value: randomUUID() }])).status).toBe(400);
    expect((await patch([{ op: 'add', path: '/physical_network', value: 'x' }], '1.33')).status).toBe(406);
    expect((await patch([{ op: 'remove', path: '/address' }])).status).toBe(400);
    const remove = async (path: string) => (await api.call('DELETE', path, '1.115')).status;
    expect(await remove('/v1/ports/nope')).toBe(400);
    expect(await remove('/v1/ports')).toBe(400);
    expect(await remove(`/v1/ports/${port.uuid}/`)).toBe(400);
    expect(await remove(`/v1/ports/${port.uuid}`)).toBe(204);
    expect(await remove(`/v1/ports/${port.uuid}`)).toBe(404);
  });
});

describe('drivers', () => {
  it('are what living conductors serve', async () => {
    const { drivers } = (await api.get('/v1/drivers', '1.1')).body;
    expect(drivers.map((one: { name: string }) => one.name)).toEqual(['fake-hardware', 'redfish']);
    expect(Object.keys(drivers[0]).sort()).toEqual(['hosts', 'links', 'name']);
    expect((await api.get('/v1/drivers?type=classic', '1.30')).body).toEqual({ drivers: [] });
    const one = (await api.get('/v1/drivers/fake-hardware', '1.85')).body;
    expect(one).toMatchObject({
      type: 'dynamic',
      default_inspect_interface: 'fake',
      enabled_inspect_interfaces: ['fake', 'inspector'],
    });
    expect(one).not.toHaveProperty('default_firmware_interface');
    expect((await api.get('/v1/drivers/fake-hardware/properties', '1.1')).body).toHaveProperty('B1');
    for (const [path, version, status] of [
      ['nope', '1.1', 404],
      ['nope/properties', '1.1', 404],
      ['?type=x', '1.30', 400],
      ['?type=dynamic', '1.29', 406],
      ['?fields=name', '1.76', 406],
      ['?fields=x', '1.77', 400],
    ] as const) {
      expect((await api.get(`/v1/drivers${path.startsWith('?') ? '' : '/'}${path}`, version)).status).toBe(status);
    }
  });
});

describe('conductors', () => {
  it('are shown alive or not, sorted and paged', async () => {
    await api.store.liveness.beat(
      {
        id: 'id-2',
        createdAt: 0,
        hostname: 'old',
        conductorGroup: 'g',
        drivers: [],
        online: false,
        capabilities: '{}',
      },
      0,
    );
    const { body } = await api.get('/v1/conductors', '1.49');
    expect(body.conductors.map((one: { hostname: string; alive: boolean }) => [one.hostname, one.alive])).toEqual(
      expect.arrayContaining([['rack-1', true]]),
    );
    const one = (await api.get('/v1/conductors/rack-1', '1.49')).body;
    expect(one).toMatchObject({ conductor_group: '', drivers: ['fake-hardware', 'redfish'] });
    expect(one.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    expect((await api.get('/v1/conductors/nope', '1.49')).status).toBe(404);
    expect((await api.get('/v1/conductors?sort_key=alive', '1.49')).status).toBe(400);
  });
});

describe('conductors of one host name', () => {
  it('are one, which is alive as long as one of them is', async () => {
    const row = { hostname: 'twice', conductorGroup: '', drivers: [], capabilities: '{}', createdAt: 5000 };
    const now = Date.now();
    await api.store.liveness.beat({ ...row, id: 'twice-1', online: false }, now + 1000);
    await api.store.liveness.beat({ ...row, id: 'twice-2', online: true }, now);
    await api.store.liveness.beat({ ...row, id: 'twice-3', online: true }, 0);
    const board = new ConductorBoard(api.store.liveness, { now: () => now, after: systemClock.after }, 60_000);
    const alive = async () => (await board.all()).filter(({ hostname }) => hostname === 'twice').map(({ id }) => id);
    expect(await alive()).toEqual(['twice-2']);
    await api.store.liveness.forget(['twice-1', 'twice-2', 'twice-3']);
  });
});

describe('events of a node', () => {
  const meta = { commandId: randomUUID(), requestId: 'req-x', actor: null, source: 'spec', at: 1, causation: null };
  const sealed = { sealed: 'k', iv: 'i', tag: 't', data: 'd' };

  it('are read in order by version, secrets hidden, also after the removal', async () => {
    const data = { driver_info: { ipmi_password: sealed, token: 'plain', address: 'x' } };
    const events = [1, 2, 3].map((n) => ({ type: `Step${n}`, schema: 1, data }));
    await api.store.log.append({ writes: [{ stream: `node/${node}`, expected: 'any', events }], meta, changes: [] });
    const { body } = await api.get('/ferrolog/v1/nodes/n/events?after=1&limit=1');
    expect(body.events).toEqual([
      {
        position: expect.any(Number) as number,
        version: 2,
        type: 'Step2',
        schema: 1,
        data: { driver_info: { ipmi_password: '******', token: '******', address: 'x' } },
        meta,
        recorded_at: expect.stringMatching(/T.*\+00:00$/) as string,
      },
    ]);
    await api.call('DELETE', `/v1/nodes/${node}`, '1.115');
    expect((await api.get(`/ferrolog/v1/nodes/${node}/events`)).body.events).toHaveLength(3);
    expect((await api.get(`/ferrolog/v1/nodes/${randomUUID()}/events`)).status).toBe(404);
    expect((await api.get(`/ferrolog/v1/nodes/${node}/events?after=x`)).status).toBe(400);
  });
});

describe('events of the network', () => {
  const event = { event: 'network.bind_port', port_id: randomUUID(), mac_address: MAC, status: 'ACTIVE' };

  it.each([
    [{ events: [event] }, 204],
    [{ events: [] }, 400],
    [{ events: [{ ...event, event: 'x' }] }, 400],
    [{ events: [{ ...event, 'binding:host_id': null }] }, 204],
  ])('%j is %d', async (body, status) => {
    expect((await api.call('POST', '/v1/events', '1.54', body)).status).toBe(status);
  });
});
