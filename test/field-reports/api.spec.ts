/** Reports on versions, status codes, and what answers give away. */
import machineFacts from '../contract-data/state-machine.json';
import versions from '../contract-data/microversions.json';
import { Whole, payload, type Client, type Seen, type Values } from '../whole';
import { expectSoundEnd } from './row';

const MAC = '52:54:00:00:00:01';
const UNKNOWN = '6e0c1e1c-0000-4000-8000-000000000000';

let whole: Whole;
let api: Client;

async function start(settings: Values = {}): Promise<void> {
  whole = await Whole.start({ settings });
  api = await whole.api();
}

afterEach(() => expectSoundEnd(whole));

const created = async (path: string, body: object): Promise<string> =>
  ((await api.must(201, 'POST', path, body)).body as { uuid: string }).uuid;

const get = (path: string, version: string): Promise<Seen> => api.call('GET', path, undefined, version);

const patch = (uuid: string, version: string): Promise<Seen> =>
  api.send('PATCH', `/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/a', value: 1 }], version);

const faultOf = ({ body }: Seen): string => (body as { error_message: string }).error_message;

it('API-01: a client older than `inspect wait` never reads the name [1.16, 1.17]', async () => {
  await start();
  const chassis = await created('/v1/chassis', {});
  const uuid = await api.waiting({ mac: MAC, fields: { name: 'one', chassis_uuid: chassis } });
  const paths = [
    '/v1/nodes',
    '/v1/nodes?fields=uuid,provision_state',
    '/v1/nodes/detail',
    '/v1/nodes/detail?sort_key=provision_state',
    '/v1/nodes?provision_state=inspect%20wait',
    `/v1/nodes/${uuid}`,
    '/v1/nodes/one?fields=provision_state',
    `/v1/nodes/${uuid}/states`,
    `/v1/chassis/${chassis}/nodes`,
    `/v1/chassis/${chassis}/nodes/detail`,
  ];
  const shown = async (version: string) => Promise.all(paths.map(async (path) => (await get(path, version)).text));
  const older = await shown('1.38');
  const newer = [...(await shown('1.39')), ...(await shown('latest'))];
  expect(older.filter((text) => !text.includes('"inspecting"') || text.includes('inspect wait'))).toEqual([]);
  expect(newer.filter((text) => text.includes('"inspecting"') || !text.includes('"inspect wait"'))).toEqual([]);
});

describe('API-03: what begins with a version is not there the version before', () => {
  const at = (gate: number): string[] => [gate - 1, gate, gate + 1].map((minor) => `1.${minor}`);
  const statuses = async (gate: number, ask: (version: string) => Promise<Seen>): Promise<number[]> => {
    const seen: number[] = [];
    for (const version of at(gate).filter((one) => one !== '1.116')) seen.push((await ask(version)).status);
    return seen;
  };

  it('1.9, 1.22, 1.78, 1.81: a filter, the lookup, history, inventory', async () => {
    await start();
    const uuid = await api.waiting({ mac: MAC });
    expect(await statuses(9, (version) => get('/v1/nodes?provision_state=inspect%20wait', version))).toEqual([
      406, 200, 200,
    ]);
    expect(await statuses(22, (version) => get(`/v1/lookup?addresses=${MAC}`, version))).toEqual([404, 200, 200]);
    await api.data(MAC);
    expect(await statuses(78, (version) => get(`/v1/nodes/${uuid}/history`, version))).toEqual([404, 200, 200]);
    expect(await statuses(81, (version) => get(`/v1/nodes/${uuid}/inventory`, version))).toEqual([404, 200, 200]);
  });

  it('1.39, 1.41, 1.84: the waiting state, its abort, posted data [2.15, 2.16, 2.22]', async () => {
    await start();
    const uuid = await api.machine({ mac: MAC });
    const waits = async (): Promise<void> => {
      if ((await api.state(uuid)) !== 'inspect wait') await api.inspect(uuid);
    };
    const state = async (version: string) => (await get(`/v1/nodes/${uuid}`, version)).body as object;
    await waits();
    expect(await Promise.all(at(39).map(state))).toMatchObject(
      ['inspecting', 'inspect wait', 'inspect wait'].map((shown) => ({ provision_state: shown })),
    );
    const abort = async (version: string): Promise<Seen> => {
      await waits();
      return api.provision(uuid, 'abort', version);
    };
    expect(await statuses(41, abort)).toEqual([406, 202, 202]);
    const post = async (version: string): Promise<Seen> => {
      await waits();
      return api.call('POST', '/v1/continue_inspection', payload(MAC), version);
    };
    expect(await statuses(84, post)).toEqual([404, 202, 202]);
  });

  it('1.98, 1.115: escapes in a patch, the state in the history', async () => {
    await start();
    const uuid = await api.waiting();
    const escaped = (version: string): Promise<Seen> =>
      api.call('PATCH', `/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/a~1b', value: 1 }], version);
    expect(await statuses(98, escaped)).toEqual([400, 200, 200]);
    await api.provision(uuid, 'abort');
    const entry = async (version: string): Promise<object> =>
      ((await get(`/v1/nodes/${uuid}/history?detail=true`, version)).body as { history: object[] }).history[0]!;
    const added = versions.history_fields.detail_adds;
    for (const field of Object.keys(added).filter((name) => added[name as keyof typeof added] === 115)) {
      expect([Object.keys(await entry('1.114')), Object.keys(await entry('1.115'))]).toEqual([
        expect.not.arrayContaining([field]),
        expect.arrayContaining([field]),
      ]);
    }
  });
});

it.each([
  ['inspection_finished_at', '1.5', 406],
  ['inspection_finished_at', '1.6', 200],
  ['description', '1.50', 406],
  ['description', '1.51', 200],
  ['description', '1.115', 200],
  ['driver_info', '1.115', 400],
  ['network_data', '1.40', 400],
  ['__proto__', '1.115', 400],
  ['constructor', '1.1', 400],
  ['uuid;drop table nodes', '1.115', 400],
  ['', '1.115', 400],
])('API-04: sorting by %p at %s answers %i', async (key, version, status) => {
  await start();
  await api.machine();
  for (const path of ['/v1/nodes', '/v1/nodes/detail']) {
    const answer = await get(`${path}?sort_key=${encodeURIComponent(key)}`, version);
    expect([path, answer.status]).toEqual([path, status]);
  }
});

describe('API-08: an update in the middle of work', () => {
  /** Answers at 1.38 and at 1.39 in a state, and what the refusals say. */
  async function answers(uuid: string): Promise<{ statuses: number[]; texts: string[] }> {
    const seen = [];
    for (const version of ['1.38', '1.39']) seen.push((await whole.during(patch(uuid, version))).answer);
    return {
      statuses: seen.map(({ status }) => status),
      texts: seen.filter(({ status }) => status !== 200).map(faultOf),
    };
  }

  it.each([
    ['enroll', []],
    ['manageable', ['manage']],
    ['inspect wait', ['manage', 'inspect']],
    ['inspect failed', ['manage', 'inspect', 'abort']],
    ['available', ['manage', 'provide']],
    ['active', ['manage', 'provide', 'active']],
  ])('is taken in `%s` [1.30]', async (state, verbs) => {
    await start();
    const uuid = await created('/v1/nodes', { driver: 'fake-hardware', inspect_interface: 'agent' });
    for (const verb of verbs) expect((await api.provision(uuid, verb)).status).toBe(202);
    expect(await api.state(uuid)).toBe(state);
    expect((await answers(uuid)).statuses).toEqual([200, 200]);
    expect((await api.node(uuid)).extra).toEqual({ a: 1 });
  });

  it.each([
    ['verifying', 'read power', ['manage'], [/locked/, /locked/]],
    ['inspecting', 'inspect', ['manage', 'inspect'], [/locked/, /inspecting/]],
    ['cleaning', 'clean', ['manage', 'provide'], [/transition/, /transition/]],
    ['deploying', 'deploy', ['manage', 'provide', 'active'], [/transition/, /transition/]],
    ['deleting', 'tear down', ['manage', 'provide', 'active', 'deleted'], [/transition/, /transition/]],
    ['rescuing', 'rescue', ['manage', 'provide', 'active', 'rescue'], [/transition/, /transition/]],
  ] as const)('is refused in `%s`, and says whether to come again [1.30]', async (state, work, verbs, texts) => {
    await start();
    const uuid = await created('/v1/nodes', { driver: 'fake-hardware', inspect_interface: 'agent' });
    for (const verb of verbs.slice(0, -1)) expect((await api.provision(uuid, verb)).status).toBe(202);
    const held = whole.script.hold(work);
    const target = verbs.at(-1)!;
    const body = { target, ...(target === 'rescue' ? { rescue_password: 'let me in' } : {}) };
    expect((await api.call('PUT', `/v1/nodes/${uuid}/states/provision`, body)).status).toBe(202);
    expect(await api.state(uuid)).toBe(state);
    const seen = await answers(uuid);
    expect(seen).toEqual({ statuses: [409, 409], texts: texts.map((text) => expect.stringMatching(text)) });
    const inTable = machineFacts.sets.update_allowed.includes(state);
    expect(seen.texts.every((text) => text.includes('transition'))).toBe(!inTable);
    expect((await api.node(uuid)).extra).toEqual({});
    held.refuse(new Error('over'));
    await whole.settle();
  });
});

it('API-09: an inspection that its driver has no credentials for is refused with the field, and changes nothing', async () => {
  await start();
  const uuid = await api.machine();
  whole.script.play('validate', () => 'Missing driver_info value: redfish_address.');
  const before = await api.node(uuid);
  const answer = await api.provision(uuid, 'inspect');
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('redfish_address')]);
  expect(await api.node(uuid)).toEqual(before);
  expect(before.provision_state).toBe('manageable');
});

it('API-11: a slash at the end changes nothing', async () => {
  await start();
  const uuid = await api.machine({ mac: MAC });
  const same = async (path: string): Promise<void> => {
    const [plain, slashed] = [await get(path, '1.115'), await get(`${path}/`, '1.115')];
    expect([slashed.status, slashed.text]).toEqual([plain.status, plain.text]);
    expect(plain.status).toBe(200);
  };
  for (const path of ['/v1', '/v1/nodes', `/v1/nodes/${uuid}`, `/v1/nodes/${uuid}/states`, '/v1/ports/detail'])
    await same(path);
  const target = { target: 'inspect' };
  expect((await api.call('PUT', `/v1/nodes/${uuid}/states/provision/`, target)).status).toBe(202);
  expect(await api.state(uuid)).toBe('inspect wait');
  const posted = await api.call('POST', '/v1/continue_inspection/', payload(MAC));
  expect([posted.status, await api.state(uuid)]).toEqual([202, 'manageable']);
  const made = await api.call('POST', '/v1/nodes/', { driver: 'fake-hardware', name: 'with-slash' });
  expect([made.status, (made.body as { name: string }).name]).toEqual([201, 'with-slash']);
});

it.each([1, 39, 81, 115])(
  'API-12: at 1.%i every field of the version is there, null where it is empty',
  async (minor) => {
    await start();
    const uuid = await created('/v1/nodes', { driver: 'fake-hardware' });
    const gated = (table: Readonly<Record<string, number>>): string[] =>
      Object.keys(table).filter((name) => table[name]! <= minor);
    const expected = new Set([
      ...versions.node_fields_always,
      ...gated(versions.node_fields),
      ...gated(versions.node_link_fields),
    ]);
    const one = (await get(`/v1/nodes/${uuid}`, `1.${minor}`)).body as object;
    const [listed] = ((await get('/v1/nodes/detail', `1.${minor}`)).body as { nodes: object[] }).nodes;
    expect(Object.keys(one).sort()).toEqual([...expected].sort());
    expect(Object.keys(listed!).sort()).toEqual([...expected].sort());
    expect(Object.values(one)).not.toContain(undefined);
  },
);

describe('API-14: the token of an agent', () => {
  it('is handed out once; what later ones are shown is no token', async () => {
    await start();
    const uuid = await api.waiting({ mac: MAC });
    const tokens: string[] = [];
    for (const query of [`addresses=${MAC}`, `addresses=${MAC}`, `node_uuid=${uuid}`]) {
      const { body } = await get(`/v1/lookup?${query}`, '1.115');
      tokens.push((body as { config: { agent_token: string } }).config.agent_token);
    }
    expect(tokens).toEqual([expect.stringMatching(/^[\w-]{43}$/), '******', '******']);
    expect((await api.heartbeat(uuid, '******')).status).toBe(400);
    expect((await api.heartbeat(uuid, tokens[0]!)).status).toBe(202);
    const everywhere = [
      (await get(`/v1/nodes/${uuid}`, '1.115')).text,
      (await get(`/ferrolog/v1/nodes/${uuid}/events`, '1.115')).text,
      (await get(`/v1/lookup?addresses=${MAC}`, '1.22')).text,
    ];
    expect(everywhere.filter((text) => text.includes(tokens[0]!))).toEqual([]);
  });

  it('is not to be had where the ramdisk endpoints are off', async () => {
    await start({ api: { enable_ramdisk_endpoints: false } });
    const uuid = await api.waiting({ mac: MAC });
    const answers = [
      await get(`/v1/lookup?addresses=${MAC}`, '1.115'),
      await api.heartbeat(uuid, 'token'),
      await api.data(MAC),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await api.state(uuid)).toBe('inspect wait');
  });
});

it('API-15: a lookup answers the same for an address that is unknown, of a node that does not wait, or of two', async () => {
  await start();
  const other = '52:54:00:00:00:02';
  await api.machine({ mac: '52:54:00:00:00:03', fields: { driver_info: { password: 'secret' } } });
  await api.waiting({ mac: MAC });
  await api.waiting({ mac: other });
  const queries = [
    'addresses=52:54:00:ff:ff:ff',
    'addresses=52:54:00:00:00:03',
    `addresses=${MAC},${other}`,
    `node_uuid=${UNKNOWN}`,
  ];
  const answers = await Promise.all(queries.map((query) => get(`/v1/lookup?${query}`, '1.115')));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 404, text: expect.not.stringContaining('secret') });
  const posts = await Promise.all(
    ['52:54:00:ff:ff:ff', '52:54:00:00:00:03'].map((mac) => api.call('POST', '/v1/continue_inspection', payload(mac))),
  );
  expect(posts.map(({ status, text }) => [status, text])).toEqual(posts.map(() => [404, answers[0]!.text]));
});

it('API-16: each verb answers its own status, with a body or without', async () => {
  await start();
  const node = await created('/v1/nodes', { driver: 'fake-hardware' });
  const [one, n] = ['6e0c1e1c-0000-4000-8000-00000000000', `/v1/nodes/${node}`];
  const step = { interface: 'bios', step: 'apply_configuration', args: {} };
  const rule = { actions: [{ op: 'log', args: { msg: 'seen' } }], conditions: [] };
  const made: readonly (readonly [path: string, body: object])[] = [
    ['/v1/chassis', { uuid: `${one}1` }],
    ['/v1/ports', { uuid: `${one}2`, node_uuid: node, address: MAC }],
    ['/v1/portgroups', { uuid: `${one}3`, node_uuid: node }],
    ['/v1/volume/connectors', { uuid: `${one}4`, node_uuid: node, type: 'iqn', connector_id: 'iqn.2026-11.x:1' }],
    ['/v1/volume/targets', { uuid: `${one}5`, node_uuid: node, volume_type: 'iscsi', boot_index: 0, volume_id: '1' }],
    ['/v1/deploy_templates', { uuid: `${one}6`, name: 'CUSTOM_T', steps: [{ ...step, priority: 10 }] }],
    ['/v1/runbooks', { uuid: `${one}7`, name: 'CUSTOM_R', steps: [{ ...step, order: 1 }] }],
    ['/v1/inspection_rules', { uuid: `${one}8`, ...rule }],
    ['/v1/allocations', { uuid: `${one}9`, resource_class: 'none' }],
  ];
  const answer = async (method: string, path: string, body?: unknown): Promise<[string, number, boolean]> => {
    const { status, text } = await api.call(method, path, body);
    return [`${method} ${path}`, status, text !== ''];
  };
  for (const [path, body] of made) expect(await answer('POST', path, body)).toEqual([`POST ${path}`, 201, true]);
  await api.power(node, 'power off');
  for (const [path, { uuid }] of made as readonly (readonly [string, { uuid: string }])[]) {
    const url = `${path}/${uuid}`;
    expect(await answer('GET', path)).toEqual([`GET ${path}`, 200, true]);
    expect(await answer('GET', url)).toEqual([`GET ${url}`, 200, true]);
    expect(await answer('PATCH', url, [])).toEqual([`PATCH ${url}`, 200, true]);
    expect((await answer('POST', url, {}))[1]).toBeGreaterThanOrEqual(400);
    expect(await answer('DELETE', url)).toEqual([`DELETE ${url}`, 204, false]);
    expect(await answer('DELETE', url)).toEqual([`DELETE ${url}`, 404, true]);
  }
  const accepted: readonly (readonly [method: string, path: string, body: unknown, status: number])[] = [
    ['PUT', `${n}/states/provision`, { target: 'manage' }, 202],
    ['PUT', `${n}/states/power`, { target: 'power on' }, 202],
    ['PUT', `${n}/maintenance`, { reason: 'table' }, 202],
    ['DELETE', `${n}/maintenance`, undefined, 202],
    ['PUT', `${n}/management/boot_device`, { boot_device: 'pxe' }, 204],
    ['PUT', `${n}/traits`, { traits: ['CUSTOM_A'] }, 204],
    ['PUT', `${n}/traits/CUSTOM_B`, undefined, 204],
    ['DELETE', `${n}/traits/CUSTOM_B`, undefined, 204],
    ['DELETE', `${n}/traits`, undefined, 204],
    ['POST', `${n}/vifs`, { id: 'net' }, 204],
    ['DELETE', n, undefined, 204],
  ];
  for (const [method, path, body, status] of accepted)
    expect(await answer(method, path, body)).toEqual([`${method} ${path}`, status, false]);
});
