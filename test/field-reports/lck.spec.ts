/** Reports on locks, 409, and commands at the same time. */
import { Whole, type Client, type Seen, type Values } from '../whole';
import { expectSoundEnd } from './row';

const MAC = '52:54:00:00:00:01';

let whole: Whole;
let api: Client;

async function start(settings: Values = {}): Promise<void> {
  whole = await Whole.start({ settings });
  api = await whole.api();
}

afterEach(() => expectSoundEnd(whole));

const patch = (uuid: string): Promise<Seen> =>
  api.send('PATCH', `/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/a', value: 1 }]);

const faultOf = ({ body }: Seen): { faultcode: string; faultstring: string } =>
  JSON.parse((body as { error_message: string }).error_message) as { faultcode: string; faultstring: string };

it('LCK-03: a DELETE that deleted says so, whatever else is asked of the node meanwhile', async () => {
  await start();
  const pairs = 40;
  const one = async (index: number): Promise<string[]> => {
    const made = await api.send('POST', '/v1/nodes', { driver: 'fake-hardware', name: `n${index}` });
    const { uuid } = made.body as { uuid: string };
    const path = `/v1/nodes/${uuid}`;
    const [, , removed, ...others] = await Promise.all([
      api.send('GET', path),
      patch(uuid),
      api.send('DELETE', path),
      patch(uuid),
      api.send('GET', '/v1/nodes?fields=uuid'),
      api.send('PUT', `${path}/maintenance`, { reason: 'x' }),
    ]);
    expect(others.map(({ status }) => status).filter((status) => ![200, 202, 404].includes(status))).toEqual([]);
    const isThere = (await api.send('GET', path)).status === 200;
    return [`${removed!.status} ${isThere ? 'there' : 'gone'}`];
  };
  const { answer } = await whole.during(Promise.all(Array.from({ length: pairs }, (_, index) => one(index))));
  expect(answer.flat()).toEqual(Array.from({ length: pairs }, () => '204 gone'));
});

it('LCK-03: of many DELETEs one deleted, and the others find nothing', async () => {
  await start();
  const uuid = await api.machine();
  const asked = Promise.all([1, 2, 3, 4, 5].map(() => api.send('DELETE', `/v1/nodes/${uuid}`)));
  const { answer } = await whole.during(asked);
  expect(answer.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
});

it('LCK-04: what is busy is told from what stays in conflict', async () => {
  await start();
  const uuid = await api.machine({ mac: MAC, fields: { name: 'taken' } });
  await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'provide' });
  const held = whole.script.hold('power');
  await api.power(uuid, 'power on');
  const toBmc = [{ op: 'add', path: '/driver_info/a', value: 1 }];
  const { answer: busy } = await whole.during(api.send('PATCH', `/v1/nodes/${uuid}`, toBmc));
  const other = { driver: 'fake-hardware' };
  const node = ((await api.must(201, 'POST', '/v1/nodes', other)).body as { uuid: string }).uuid;
  const conflicts = [
    await api.call('POST', '/v1/nodes', { ...other, name: 'taken' }),
    await api.call('POST', '/v1/nodes', { ...other, uuid }),
    await api.call('POST', '/v1/ports', { node_uuid: node, address: MAC }),
    await api.call('PATCH', `/v1/nodes/${node}`, [{ op: 'replace', path: '/name', value: 'taken' }]),
  ];
  expect([busy, ...conflicts].map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  const locked = /^Node [0-9a-f-]{36} is locked by host \S+/;
  expect(faultOf(busy)).toMatchObject({ faultcode: 'Client', faultstring: expect.stringMatching(locked) });
  for (const conflict of conflicts) {
    expect(faultOf(conflict).faultstring).toMatch(/already exists/);
    expect(faultOf(conflict).faultstring).not.toMatch(/locked/);
  }
  expect(faultOf(busy).faultstring).toContain('conductor-1');
  held.answer({ powerState: 'power on', changed: true });
  await whole.settle();
  expect((await api.send('PATCH', `/v1/nodes/${uuid}`, toBmc)).status).toBe(200);
});

it('LCK-06: maintenance and removal do not wait for a BMC that says nothing', async () => {
  await start();
  const held = whole.script.hold('inspect');
  const uuid = await api.machine({ mac: MAC });
  await api.inspect(uuid);
  await whole.pass(60_000);
  const timed = async (asked: Promise<Seen>) => {
    const { answer, ms } = await whole.during(asked);
    return [answer.status, ms < 2_000];
  };
  expect(await timed(api.send('PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'dead BMC' }))).toEqual([202, true]);
  expect(await api.node(uuid)).toMatchObject({ maintenance: true, provision_state: 'inspecting' });
  expect(await timed(api.send('DELETE', `/v1/nodes/${uuid}`))).toEqual([204, true]);
  held.answer({ returned: 'INSPECTWAIT' });
  await whole.pass(60_000);
  expect((await api.call('GET', `/v1/nodes/${uuid}`)).status).toBe(404);
  expect(await api.endings(uuid)).toEqual(['InspectionRemoved']);
  expect((await api.call('GET', '/v1/ports')).body).toEqual({ ports: [] });
});

it('LCK-06: nor while a power change hangs, nor a verification', async () => {
  await start();
  const power = whole.script.hold('power');
  const changing = await api.machine();
  await api.power(changing, 'power on');
  const verify = whole.script.hold('read power');
  const verifying = await api.machine();
  expect([await api.state(verifying), (await api.node(changing)).target_power_state]).toEqual([
    'verifying',
    'power on',
  ]);
  for (const uuid of [changing, verifying]) {
    const from = whole.clock.now();
    expect((await api.call('PUT', `/v1/nodes/${uuid}/maintenance`, {})).status).toBe(202);
    expect((await api.call('DELETE', `/v1/nodes/${uuid}`)).status).toBe(204);
    expect(whole.clock.now()).toBe(from);
  }
  power.answer({ powerState: 'power on', changed: true });
  verify.answer('power on');
  await whole.pass(60_000);
  expect((await api.call('GET', '/v1/nodes')).body).toEqual({ nodes: [] });
});

it('LCK-07: lists stay whole while what they list is removed', async () => {
  await start();
  const count = 50;
  const uuids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const address = `52:54:00:00:01:${n.toString(16).padStart(2, '0')}`;
    const { body } = await api.must(201, 'POST', '/v1/nodes', { driver: 'fake-hardware' });
    uuids.push((body as { uuid: string }).uuid);
    await api.must(201, 'POST', '/v1/ports', { node_uuid: uuids[n], address });
  }
  let removing = true;
  const look = async (path: string): Promise<void> => {
    while (removing) {
      const answer = await api.send('GET', path);
      expect([path, answer.status]).toEqual([path, 200]);
      const { ports } = answer.body as { ports?: { address?: string; links: unknown[] }[] };
      expect((ports ?? []).filter(({ links }) => links.length !== 2)).toEqual([]);
    }
  };
  const paths = [
    '/v1/ports?detail=true',
    '/v1/ports/detail?limit=20',
    '/v1/nodes/detail?limit=50',
    '/v1/ports?shard=x',
  ];
  const looking = Promise.all(paths.map(look));
  for (const uuid of uuids) expect((await api.send('DELETE', `/v1/nodes/${uuid}`)).status).toBe(204);
  removing = false;
  await looking;
  expect((await api.call('GET', '/v1/ports')).body).toEqual({ ports: [] });
});
