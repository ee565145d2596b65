import { faultOf, Served, type Seen } from './served';

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.stop());

const tagOf = (seen: Seen): string => seen.headers.get('etag') ?? 'none';
const name = (value: string) => [{ op: 'replace', path: '/name', value }];
const extra = (value: unknown) => [{ op: 'add', path: '/extra/k', value }];
const under = (tag: string) => ({ headers: { 'If-Match': tag } });

describe('ETag', () => {
  it('names the resource and its version, and tells forms apart', async () => {
    const uuid = await served.node();
    const path = `/v1/nodes/${uuid}`;
    const first = await served.call('GET', path);
    expect(tagOf(first)).toMatch(new RegExp(`^"${uuid}\\.1\\.[\\w-]{12}"$`));
    expect(tagOf(await served.call('GET', path))).toBe(tagOf(first));
    const forms = [
      tagOf(first),
      tagOf(await served.call('GET', path, undefined, { minor: 50 })),
      tagOf(await served.call('GET', `${path}?fields=uuid`)),
      tagOf(await served.call('GET', path, undefined, { headers: { Host: 'other.example' } })),
    ];
    expect(new Set(forms).size).toBeGreaterThanOrEqual(3);
    const patched = await served.call('PATCH', path, extra(1));
    expect(tagOf(patched)).toContain(`"${uuid}.2.`);
    expect(tagOf(await served.call('GET', path))).toContain(`"${uuid}.2.`);
  });

  it('is on every answer that shows one resource, and on no list', async () => {
    const created = await served.call('POST', '/v1/nodes', { driver: 'fake-hardware', name: 'tagged' });
    const node = created.body.uuid as string;
    const port = await served.call('POST', '/v1/ports', { node_uuid: node, address: '52:54:00:00:00:01' });
    const runbook = await served.call('POST', '/v1/runbooks', {
      name: 'CUSTOM_R',
      steps: [{ interface: 'bios', step: 'apply', args: {}, order: 1 }],
    });
    expect([created, port, runbook].map((one) => [one.status, tagOf(one) !== 'none'])).toEqual([
      [201, true],
      [201, true],
      [201, true],
    ]);
    const shown = [
      '/v1/nodes/tagged',
      `/v1/nodes/${node}/states`,
      `/v1/nodes/${node}/traits`,
      `/v1/ports/${port.body.uuid}`,
      '/v1/runbooks/CUSTOM_R',
      '/v1/runbooks/CUSTOM_R/traits',
    ];
    for (const path of shown) {
      const seen = await served.call('GET', path);
      expect([path, seen.status, tagOf(seen)]).toEqual([path, 200, expect.stringContaining('.1.')]);
    }
    for (const path of [
      '/v1/nodes',
      `/v1/nodes/${node}/ports`,
      `/v1/nodes/${node}/history`,
      '/v1/ports',
      '/v1',
      '/v1/drivers',
    ]) {
      expect([path, tagOf(await served.call('GET', path))]).toEqual([path, 'none']);
    }
  });
});

describe('If-None-Match', () => {
  it('spares the body of what the client has, and only of that', async () => {
    const path = `/v1/nodes/${await served.node()}`;
    const tag = tagOf(await served.call('GET', path));
    const asked = (value: string, minor = 115) =>
      served.call('GET', path, undefined, { headers: { 'If-None-Match': value }, minor });
    for (const value of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const seen = await asked(value);
      expect([value, seen.status, seen.text, tagOf(seen)]).toEqual([value, 304, '', tag]);
      expect(seen.headers.get('content-type')).toBeNull();
      expect(seen.headers.get('x-openstack-request-id')).toMatch(/^req-/);
    }
    expect((await asked(tag, 60)).status).toBe(200);
    await served.call('PATCH', path, extra(1));
    expect((await asked(tag)).status).toBe(200);
  });
});

describe('If-Match', () => {
  it('lets a change through on what the client has seen, in whatever version it read it', async () => {
    const path = `/v1/nodes/${await served.node()}`;
    const old = tagOf(await served.call('GET', path, undefined, { minor: 40 }));
    expect((await served.call('PATCH', path, extra(1), under(old))).status).toBe(200);
    const refused = await served.call('PATCH', path, extra(2), under(old));
    expect(refused.status).toBe(412);
    expect(faultOf(refused)).toMatch(/precondition If-Match .* at version 2 now\. Nothing happened\./);
    const fresh = tagOf(await served.call('GET', `${path}/states`));
    expect((await served.call('PATCH', path, extra(2), under(`"x", ${old}, ${fresh}`))).status).toBe(200);
    expect((await served.call('GET', path)).body.extra).toEqual({ k: 2 });
    expect((await served.call('PATCH', path, extra(3), under('*'))).status).toBe(200);
  });

  it.each([
    ['PUT', '/maintenance', { reason: 'x' }, 202],
    ['PUT', '/states/provision', { target: 'manage' }, 202],
    ['PUT', '/states/power', { target: 'power on' }, 202],
    ['PUT', '/traits', { traits: ['CUSTOM_A'] }, 204],
    ['DELETE', '/maintenance', undefined, 202],
    ['DELETE', '', undefined, 204],
  ])('holds %s nodes/{ident}%s to it', async (method, below, body, status) => {
    const uuid = await served.node();
    const path = `/v1/nodes/${uuid}`;
    const tag = tagOf(await served.call('GET', path));
    await served.call('PATCH', path, extra(1));
    const events = await served.eventsOf(uuid);
    expect((await served.call(method, `${path}${below}`, body, under(tag))).status).toBe(412);
    expect(await served.eventsOf(uuid)).toEqual(events);
    const now = tagOf(await served.call('GET', path));
    expect((await served.call(method, `${path}${below}`, body, under(now))).status).toBe(status);
  });

  it('holds plain resources to their own versions', async () => {
    const node = await served.node();
    const { body } = await served.call('POST', '/v1/ports', { node_uuid: node, address: '52:54:00:00:00:02' });
    const path = `/v1/ports/${body.uuid}`;
    const tag = tagOf(await served.call('GET', path));
    const ofNode = tagOf(await served.call('GET', `/v1/nodes/${node}`));
    expect((await served.call('PATCH', path, extra(1), under(ofNode))).status).toBe(412);
    expect((await served.call('PATCH', path, extra(1), under(tag))).status).toBe(200);
    expect((await served.call('DELETE', path, undefined, under(tag))).status).toBe(412);
    expect((await served.call('DELETE', path, undefined, under(tagOf(await served.call('GET', path))))).status).toBe(
      204,
    );
  });

  it('is no match for another resource that goes by the name now', async () => {
    const one = await served.node({ name: 'same' });
    const tag = tagOf(await served.call('GET', '/v1/nodes/same'));
    await served.call('PATCH', `/v1/nodes/${one}`, name('other'));
    await served.node({ name: 'same' });
    expect((await served.call('PATCH', '/v1/nodes/same', extra(1), under(tag))).status).toBe(412);
  });

  it('takes a weak tag for no match, and other faults go before', async () => {
    const path = `/v1/nodes/${await served.node()}`;
    const tag = tagOf(await served.call('GET', path));
    expect((await served.call('PATCH', path, extra(1), under(`W/${tag}`))).status).toBe(412);
    expect((await served.call('PATCH', '/v1/nodes/nobody', extra(1), under(tag))).status).toBe(404);
    expect((await served.call('PUT', `${path}/states/provision`, { target: 'rebuild' }, under('"old"'))).status).toBe(
      400,
    );
  });

  it('lets one of many through that have seen the same', async () => {
    const path = `/v1/nodes/${await served.node()}`;
    const tag = tagOf(await served.call('GET', path));
    const seen = await Promise.all(
      Array.from({ length: 8 }, (_, n) => served.call('PATCH', path, extra(n), under(tag))),
    );
    expect(seen.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(412)]);
  });

  it.each(['validate', 'management/boot_device', 'management/boot_device/supported', 'vendor_passthru/methods'])(
    'holds GET of a node to it where the answer is asked of the machine: %s',
    async (part) => {
      const path = `/v1/nodes/${await served.node()}`;
      const tag = tagOf(await served.call('GET', path));
      const statusUnder = async (one: string) =>
        (await served.call('GET', `${path}/${part}`, undefined, under(one))).status;
      expect([await statusUnder(tag), await statusUnder('"old"')]).toEqual([200, 412]);
    },
  );

  it('holds what changes nothing to it as well', async () => {
    const path = `/v1/nodes/${await served.node()}`;
    const tag = tagOf(await served.call('GET', path));
    expect((await served.call('GET', path, undefined, under('"old"'))).status).toBe(412);
    expect((await served.call('GET', path, undefined, under(tag))).status).toBe(200);
    const vif = { id: 'vif-1' };
    expect((await served.call('POST', `${path}/vifs`, vif, under('"old"'))).status).toBe(412);
    expect((await served.call('POST', `${path}/vifs`, vif, under(tag))).status).toBe(204);
  });
});

it.each(['x', '"', '"a" "b"', '"a', 'W/a', 'w/"a"', '', '"a", *', '"a b"'])(
  'a value that is none is 400: %j',
  async (value) => {
    const path = `/v1/nodes/${await served.node()}`;
    const refused = await served.call('PATCH', path, extra(1), under(value));
    expect(refused.status).toBe(400);
    expect(faultOf(refused)).toMatch(/^Invalid value for If-Match: .* \* or entity tags in double quotes/);
    const read = await served.call('GET', path, undefined, { headers: { 'If-None-Match': value } });
    expect([read.status, faultOf(read)]).toEqual([400, expect.stringMatching(/If-None-Match/)]);
  },
);
