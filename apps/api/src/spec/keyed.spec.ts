import { faultOf, Served, type Asked, type Seen } from './served';

const HOUR_MS = 60 * 60 * 1000;
const VERBS_OF_ANSWERS = 'request.answer';

let served: Served;
let keys = 0;
beforeAll(async () => {
  served = await Served.start(2);
});
afterAll(() => served.stop());
beforeEach(() => served.lost.clear());

const newKey = (): string => `key-${(keys += 1)}`;
const under = (key: string, rest: Asked = {}): Asked => ({
  ...rest,
  headers: { ...rest.headers, 'Idempotency-Key': key },
});
const essence = ({ status, headers, text }: Seen) => ({
  status,
  text,
  location: headers.get('location'),
  etag: headers.get('etag'),
});
const extra = (value: unknown) => [{ op: 'add', path: '/extra/k', value }];
const mac = (): string => `52:54:00:00:${(keys += 1).toString(16).padStart(4, '0').replace(/^../, '$&:')}`;
const newNode = { driver: 'fake-hardware' };

/** A request, and where its effect is counted. */
type Kind = readonly [title: string, prepare: () => Promise<{ method: string; path: string; body?: unknown }>];

const onNode =
  (method: string, below: string, body?: unknown): (() => Promise<{ method: string; path: string; body?: unknown }>) =>
  async () => ({ method, path: `/v1/nodes/${await served.node()}${below}`, body });
const step = { interface: 'bios', step: 'apply', args: {}, order: 1 };

async function verb(uuid: string, target: string, until: string): Promise<void> {
  expect((await served.call('PUT', `/v1/nodes/${uuid}/states/provision`, { target })).status).toBe(202);
  const state = async () => (await served.call('GET', `/v1/nodes/${uuid}`)).body.provision_state as string;
  while ((await state()) !== until) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A node that waits for its ramdisk, with a port. */
async function waiting(address = mac()): Promise<string> {
  const uuid = await served.node({ inspect_interface: 'agent' });
  expect((await served.call('POST', '/v1/ports', { node_uuid: uuid, address })).status).toBe(201);
  await verb(uuid, 'manage', 'manageable');
  await verb(uuid, 'inspect', 'inspect wait');
  return uuid;
}

/** Longer than any key lives. */
const deadlineChange = (uuid: string) => ({
  method: 'PUT',
  path: `/ferrolog/v1/nodes/${uuid}/deadline`,
  body: { extend_seconds: 1_000_000, reason: 'slow' },
});

const kinds: readonly Kind[] = [
  ['a node', async () => ({ method: 'POST', path: '/v1/nodes', body: newNode })],
  [
    'a node by a name',
    async () => ({ method: 'POST', path: '/v1/nodes', body: { ...newNode, name: `n-${newKey()}` } }),
  ],
  [
    'a port',
    async () => ({ method: 'POST', path: '/v1/ports', body: { node_uuid: await served.node(), address: mac() } }),
  ],
  ['a chassis', async () => ({ method: 'POST', path: '/v1/chassis', body: {} })],
  [
    'a deploy template',
    async () => ({
      method: 'POST',
      path: '/v1/deploy_templates',
      body: { name: `CUSTOM_T${(keys += 1)}`, steps: [{ ...step, priority: 1, order: undefined }] },
    }),
  ],
  [
    'a volume connector',
    async () => ({
      method: 'POST',
      path: '/v1/volume/connectors',
      body: { node_uuid: await served.node(), type: 'iqn', connector_id: `iqn.${(keys += 1)}` },
    }),
  ],
  ['an allocation', async () => ({ method: 'POST', path: '/v1/allocations', body: { resource_class: 'none-such' } })],
  ['a change of a node', onNode('PATCH', '', extra(1))],
  [
    'a change of a port',
    async () => {
      const { body } = await served.call('POST', '/v1/ports', { node_uuid: await served.node(), address: mac() });
      return { method: 'PATCH', path: `/v1/ports/${body.uuid}`, body: extra(1) };
    },
  ],
  ['a verb', onNode('PUT', '/states/provision', { target: 'manage' })],
  ['power', onNode('PUT', '/states/power', { target: 'power on' })],
  ['maintenance', onNode('PUT', '/maintenance', { reason: 'x' })],
  ['a boot device', onNode('PUT', '/management/boot_device', { boot_device: 'pxe' })],
  ['traits', onNode('PUT', '/traits', { traits: ['CUSTOM_A'] })],
  ['a trait', onNode('PUT', '/traits/CUSTOM_B')],
  ['a deadline', async () => deadlineChange(await waiting())],
  [
    'a promotion',
    async () => {
      const address = mac();
      const uuid = await waiting(address);
      await verb(uuid, 'abort', 'inspect failed');
      const inventory = { interfaces: [{ name: 'eth0', mac_address: address }], cpu: { architecture: 'x86_64' } };
      const late = await served.call('POST', '/v1/continue_inspection', {
        inventory: { ...inventory, bmc_address: null },
      });
      expect(late.status).toBe(404);
      return { method: 'POST', path: `/ferrolog/v1/nodes/${uuid}/refused/1/promote` };
    },
  ],
];

/** Events of the log beside those of keys. */
async function head(): Promise<number> {
  const all = await served.store.log.readAll(0, 100_000);
  return all.filter(({ stream }) => !stream.startsWith('request/')).length;
}

describe('a request with a key', () => {
  it.each(kinds)('is carried out once and answered alike: %s', async (_title, prepare) => {
    const { method, path, body } = await prepare();
    const key = newKey();
    const first = await served.call(method, path, body, under(key));
    expect(first.status).toBeLessThan(300);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const events = await head();
    // Through another api, after the resource has moved on, and much later.
    for (const asked of [under(key), under(key, { api: 1 })]) {
      expect(essence(await served.call(method, path, body, asked))).toEqual(essence(first));
    }
    await served.passes(23 * HOUR_MS);
    expect(essence(await served.call(method, path, body, under(key)))).toEqual(essence(first));
    expect(await head()).toBe(events);
  });

  it.each(kinds)('whose answer was lost gets one that is made anew: %s', async (_title, prepare) => {
    const { method, path, body } = await prepare();
    const key = newKey();
    served.lost.add(VERBS_OF_ANSWERS);
    const first = await served.call(method, path, body, under(key));
    served.lost.clear();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const events = await head();
    const again = await served.call(method, path, body, under(key, { api: 1 }));
    const { location } = essence(first);
    const ofFirst = location?.replace(/^http:\/\/[^/]+/, '') ?? null;
    expect([again.status, essence(again).location?.replace(/^http:\/\/[^/]+/, '') ?? null]).toEqual([
      first.status,
      ofFirst,
    ]);
    expect(Object.keys(again.body ?? {})).toEqual(Object.keys(first.body ?? {}));
    expect(again.body?.uuid).toBe(first.body?.uuid);
    expect(await head()).toBe(events);
    // From now on it is this one.
    expect(essence(await served.call(method, path, body, under(key)))).toEqual(essence(again));
  });

  it('is one when many are there at once, at two apis', async () => {
    const key = newKey();
    const name = `at-once-${key}`;
    const body = { ...newNode, name };
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => served.call('POST', '/v1/nodes', body, under(key, { api: n % 2 }))),
    );
    expect(new Set(all.map((one) => one.text)).size).toBe(1);
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await served.eventsOf(all[0]?.body.uuid)).toEqual(['NodeEnrolled']);
  });

  it('verbs at once have one effect and one answer, although the first changes the state', async () => {
    const uuid = await served.node();
    const key = newKey();
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        served.call('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' }, under(key, { api: n % 2 })),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(6).fill(202));
    expect((await served.eventsOf(uuid)).filter((type) => type === 'WorkStarted')).toHaveLength(1);
  });

  it('holds after the resource is gone', async () => {
    const key = newKey();
    const first = await served.call('POST', '/v1/nodes', newNode, under(key));
    await served.call('DELETE', `/v1/nodes/${first.body.uuid}`);
    expect(essence(await served.call('POST', '/v1/nodes', newNode, under(key)))).toEqual(essence(first));
    expect((await served.call('GET', `/v1/nodes/${first.body.uuid}`)).status).toBe(404);
  });

  it('says so when its answer was lost and what it made is gone', async () => {
    const key = newKey();
    served.lost.add(VERBS_OF_ANSWERS);
    const first = await served.call('POST', '/v1/nodes', newNode, under(key));
    served.lost.clear();
    await served.call('DELETE', `/v1/nodes/${first.body.uuid}`);
    const again = await served.call('POST', '/v1/nodes', newNode, under(key));
    expect([again.status, faultOf(again)]).toEqual([404, expect.stringMatching(/was carried out, but .* gone/)]);
  });

  it('that changed nothing does not change anything later', async () => {
    const path = `/v1/nodes/${await served.node()}/maintenance`;
    const key = newKey();
    await served.call('PUT', path, {});
    expect((await served.call('PUT', path, {}, under(key))).status).toBe(202);
    await served.call('DELETE', path);
    expect((await served.call('PUT', path, {}, under(key))).status).toBe(202);
    expect((await served.call('GET', path.replace('/maintenance', ''))).body.maintenance).toBe(false);
  });

  it('survives the conductor', async () => {
    const key = newKey();
    const first = await served.call('POST', '/v1/nodes', newNode, under(key));
    await served.stopConductor();
    expect(essence(await served.call('POST', '/v1/nodes', newNode, under(key)))).toEqual(essence(first));
    await served.startConductor();
    expect(essence(await served.call('POST', '/v1/nodes', newNode, under(key, { api: 1 })))).toEqual(essence(first));
  });

  it('is a new one after 24 hours, as often as they pass', async () => {
    const key = newKey();
    const made = new Set<string>();
    for (let day = 0; day < 3; day += 1) {
      const { body } = await served.call('POST', '/v1/nodes', newNode, under(key));
      made.add(body.uuid as string);
      expect((await served.call('POST', '/v1/nodes', newNode, under(key))).body.uuid).toBe(body.uuid);
      await served.passes(24 * HOUR_MS);
    }
    expect(made.size).toBe(3);
  });
});

describe('a key that comes again with something else', () => {
  it('is refused with 422, and nothing happens', async () => {
    const key = newKey();
    const uuid = await served.node();
    const path = `/v1/nodes/${uuid}`;
    expect((await served.call('PATCH', path, extra(1), under(key))).status).toBe(200);
    const events = await head();
    const others: readonly [string, string, unknown, Asked?][] = [
      ['PATCH', path, extra(2)],
      ['PATCH', `/v1/nodes/${await served.node()}`, extra(1)],
      ['PATCH', path, extra(1), { minor: 90 }],
      ['PATCH', path, extra(1), { headers: { 'If-Match': '*' } }],
      ['PATCH', `${path}?reset_interfaces=false`, extra(1)],
      ['PUT', `${path}/maintenance`, {}],
      ['POST', '/v1/nodes', newNode],
    ];
    for (const [method, where, body, rest] of others) {
      const refused = await served.call(method, where, body, under(key, rest));
      expect([where, refused.status, faultOf(refused)]).toEqual([where, 422, expect.stringMatching(/another request/)]);
    }
    expect(await head()).toBe(events + 1);
    expect((await served.call('PATCH', `${path}/`, extra(1), under(key))).status).toBe(200);
    expect((await served.call('PATCH', path.replace('/v1', ''), extra(1), under(key))).status).toBe(200);
  });

  it('also at the same time, one of the two', async () => {
    const key = newKey();
    const seen = await Promise.all(
      ['a', 'b'].map((description) => served.call('POST', '/v1/chassis', { description }, under(key))),
    );
    expect(seen.map(({ status }) => status).sort()).toEqual([201, 422]);
  });
});

describe('a request that was refused', () => {
  it('leaves the key free, and is decided anew', async () => {
    const key = newKey();
    const path = '/v1/ports';
    const wrong = await served.call('POST', path, { node_uuid: 'no-such', address: mac() }, under(key));
    expect(wrong.status).toBe(400);
    const uuid = await served.node();
    const body = { node_uuid: uuid, address: mac() };
    expect((await served.call('POST', path, body, under(key))).status).toBe(201);
    const verb = newKey();
    const refused = () => served.call('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'provide' }, under(verb));
    expect((await refused()).status).toBe(400);
    expect((await refused()).status).toBe(400);
  });

  it('by the peer, after it was accepted, is refused so again, without asking the peer again', async () => {
    const uuid = await served.node();
    const device = (key: string) =>
      served.call('PUT', `/v1/nodes/${uuid}/management/boot_device`, { boot_device: 'pxe' }, under(key));
    const key = newKey();
    served.script.refuse('boot device', new Error('the machine is busy'));
    const first = await device(key);
    const events = await head();
    served.script.obey('boot device');
    const again = await device(key);
    expect([first.status, faultOf(again)]).toEqual([500, faultOf(first)]);
    expect(await head()).toBe(events);
    expect((await device(newKey())).status).toBe(204);
  });
});

describe('keys', () => {
  it.each(['', ' ', 'a b', 'a,b', 'a"b', 'a\\b', 'x'.repeat(256), '"', '""', 'ä'])(
    'are bounded: %j is 400',
    async (key) => {
      const refused = await served.call('POST', '/v1/chassis', {}, under(key));
      expect([refused.status, faultOf(refused)]).toEqual([
        400,
        expect.stringMatching(/^Invalid value for Idempotency-Key/),
      ]);
    },
  );

  it('may stand in quotes, and have 255 characters', async () => {
    const key = `${newKey()}${'~'.repeat(240)}`;
    const first = await served.call('POST', '/v1/chassis', {}, under(key));
    expect((await served.call('POST', '/v1/chassis', {}, under(`"${key}"`))).text).toBe(first.text);
  });

  it('mean nothing with GET and DELETE', async () => {
    const uuid = await served.node();
    const bad = { headers: { 'Idempotency-Key': 'a b' } };
    expect((await served.call('GET', `/v1/nodes/${uuid}`, undefined, bad)).status).toBe(200);
    expect((await served.call('DELETE', `/v1/nodes/${uuid}`, undefined, bad)).status).toBe(204);
  });
});

describe('with If-Match', () => {
  it('the first one moves the version, and the second one is answered as the first', async () => {
    const path = `/v1/nodes/${await served.node()}`;
    const tag = (await served.call('GET', path)).headers.get('etag') ?? '';
    const asked = under(newKey(), { headers: { 'If-Match': tag } });
    const first = await served.call('PATCH', path, extra(1), asked);
    expect(first.status).toBe(200);
    expect(essence(await served.call('PATCH', path, extra(1), asked))).toEqual(essence(first));
    expect((await served.call('PATCH', path, extra(2), { headers: { 'If-Match': tag } })).status).toBe(412);
  });
});

describe('data of a ramdisk', () => {
  it('posted again under a key are taken once', async () => {
    const address = mac();
    const uuid = await served.node({ inspect_interface: 'agent' });
    await served.call('POST', '/v1/ports', { node_uuid: uuid, address });
    const state = async () => (await served.call('GET', `/v1/nodes/${uuid}`)).body.provision_state as string;
    const reach = async (wanted: string) => {
      for (let tries = 0; tries < 500 && (await state()) !== wanted; tries += 1)
        await new Promise((go) => setTimeout(go, 5));
      expect(await state()).toBe(wanted);
    };
    for (const [target, reached] of [
      ['manage', 'manageable'],
      ['inspect', 'inspect wait'],
    ] as const) {
      await served.call('PUT', `/v1/nodes/${uuid}/states/provision`, { target });
      await reach(reached);
    }
    const inventory = { interfaces: [{ name: 'eth0', mac_address: address }], bmc_address: '192.0.2.1' };
    const key = newKey();
    const post = (api: number) =>
      served.call('POST', `/v1/continue_inspection?node_uuid=${uuid}`, { inventory }, under(key, { api }));
    const both = await Promise.all([post(0), post(1)]);
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    const tokens = both.map(({ body }) => body.config.agent_token as string);
    const [token = ''] = tokens.filter((one) => one !== '******');
    // It is told again while it stands; an inspection that is over has forgotten it.
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(tokens.filter((one) => one !== token && one !== '******')).toEqual([]);
    expect((await post(1)).status).toBe(202);
    expect((await served.eventsOf(uuid)).filter((type) => type === 'InspectionResumed')).toHaveLength(1);
    expect(await served.eventsOf(uuid)).not.toContain('InspectionDataRefused');
    expect(JSON.stringify(await served.store.log.readAll(0, 100_000))).not.toContain(token);
    const other = await served.call(
      'POST',
      `/v1/continue_inspection?node_uuid=${uuid}`,
      { inventory, error: 'x' },
      under(key),
    );
    expect(other.status).toBe(422);
  });
});
