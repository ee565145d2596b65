/** Reports on lists: pages, order, filters, chosen fields. */
import { Whole, type Client, type Seen, type Values } from '../whole';
import { expectSoundEnd } from './row';

let whole: Whole;
let api: Client;

async function start(settings: Values = {}): Promise<void> {
  whole = await Whole.start({ settings });
  api = await whole.api();
}

afterEach(() => expectSoundEnd(whole));

type Item = Readonly<Record<string, unknown>>;

interface Page {
  readonly next?: string;
  readonly items: readonly Item[];
}

const pageOf = ({ body }: Seen): Page => {
  const { next, ...rest } = body as Record<string, unknown>;
  return { items: Object.values(rest)[0] as Item[], ...(next === undefined ? {} : { next: next as string }) };
};

/** Pages from `path` on, by their links as given. */
async function walk(path: string, version?: string, pagesMax = 20): Promise<Page[]> {
  const pages: Page[] = [];
  for (let url: string | undefined = path; url !== undefined; url = pages.at(-1)?.next?.replace(api.url, '')) {
    const answer = await api.call('GET', url, undefined, version);
    expect([url, answer.status]).toEqual([url, 200]);
    pages.push(pageOf(answer));
    expect(pages.length).toBeLessThanOrEqual(pagesMax);
  }
  return pages;
}

const markerOf = ({ next }: Page): string | null => new URL(next!).searchParams.get('marker');

async function enrolled(count: number, fields: (index: number) => object = () => ({})): Promise<string[]> {
  const uuids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { body } = await api.must(201, 'POST', '/v1/nodes', { driver: 'fake-hardware', ...fields(index) });
    uuids.push((body as { uuid: string }).uuid);
  }
  return uuids;
}

it('LST-02: a page has its marker whatever fields were asked for', async () => {
  await start();
  const uuids = await enrolled(5, (index) => ({ name: `n${index}` }));
  const pages = await walk('/v1/nodes?fields=name&limit=2');
  expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  expect(pages.slice(0, -1).map(markerOf)).toEqual([uuids[1], uuids[3]]);
  const items = pages.flatMap((page) => page.items);
  expect(items.map(({ name }) => name)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  expect(items.every((item) => Object.keys(item).sort().join() === 'links,name')).toBe(true);
});

it('LST-02: so has a page of every other resource', async () => {
  await start();
  const [node] = await enrolled(1);
  const step = { interface: 'bios', step: 'apply_configuration', args: {} };
  const resources: readonly (readonly [string, string, (n: number) => object])[] = [
    ['ports', 'address', (n) => ({ node_uuid: node, address: `52:54:00:00:00:0${n}` })],
    ['portgroups', 'name', (n) => ({ node_uuid: node, name: `pg${n}` })],
    ['chassis', 'description', (n) => ({ description: `c${n}` })],
    ['volume/connectors', 'type', (n) => ({ node_uuid: node, type: 'ip', connector_id: `${n}` })],
    ['volume/targets', 'volume_id', (n) => ({ node_uuid: node, volume_type: 'x', boot_index: n, volume_id: `${n}` })],
    ['deploy_templates', 'name', (n) => ({ name: `CUSTOM_${n}`, steps: [{ ...step, priority: 1 }] })],
    ['runbooks', 'name', (n) => ({ name: `CUSTOM_${n}`, steps: [{ ...step, order: 1 }] })],
    ['allocations', 'name', (n) => ({ name: `a${n}`, resource_class: 'none' })],
    [
      'inspection_rules',
      'description',
      (n) => ({ description: `r${n}`, actions: [{ op: 'log', args: { msg: 'x' } }] }),
    ],
  ];
  for (const [path, field, body] of resources) {
    const made: string[] = [];
    for (const n of [1, 2, 3]) {
      made.push(((await api.must(201, 'POST', `/v1/${path}`, body(n))).body as { uuid: string }).uuid);
    }
    const pages = await walk(`/v1/${path}?fields=${field}&limit=2`);
    expect([path, pages.map(({ items }) => items.length), markerOf(pages[0]!)]).toEqual([path, [2, 1], made[1]]);
    const keys = new Set(pages.flatMap(({ items }) => items.flatMap((item) => Object.keys(item))));
    expect([path, [...keys].sort()]).toEqual([path, [field, 'links'].sort()]);
  }
});

it('LST-03: later pages keep fields, order and filters', async () => {
  await start();
  const uuids = await enrolled(7, (index) => ({ name: `n${index}`, resource_class: index % 2 ? 'odd' : 'even' }));
  for (const uuid of uuids.slice(0, 6)) await api.provision(uuid, 'manage');
  const query = 'fields=name,driver&sort_key=name&sort_dir=desc&provision_state=manageable&limit=2';
  const pages = await walk(`/v1/nodes?${query}`);
  expect(pages.flatMap(({ items }) => items.map(({ name }) => name))).toEqual(['n5', 'n4', 'n3', 'n2', 'n1', 'n0']);
  expect(
    pages.flatMap(({ items }) => items).every((one) => Object.keys(one).sort().join() === 'driver,links,name'),
  ).toBe(true);
  const { searchParams } = new URL(pages[0]!.next!);
  expect(Object.fromEntries(searchParams)).toEqual({
    fields: 'name,driver',
    sort_key: 'name',
    sort_dir: 'desc',
    provision_state: 'manageable',
    limit: '2',
    marker: uuids[4],
  });
});

it.each([
  ['resource_class=odd', 3],
  ['conductor_group=', 7],
  ['driver=fake-hardware', 7],
  ['maintenance=False', 7],
  ['associated=False', 7],
  ['retired=False', 7],
  ['description_contains=a%26b%25', 4],
  ['shard=x', 4],
  ['sharded=False', 3],
  ['owner=', 0],
  ['include_children=True', 7],
])('LST-03: the filter %s holds on every page', async (filter, count) => {
  await start();
  const fields = (index: number) => (index % 2 ? { resource_class: 'odd' } : { description: 'with a&b%', shard: 'x' });
  await enrolled(7, fields);
  for (const path of ['/v1/nodes', '/v1/nodes/detail']) {
    const pages = await walk(`${path}?${filter}&limit=2`);
    expect([path, pages.flatMap(({ items }) => items).length]).toEqual([path, count]);
  }
});

describe('LST-04: a client finds its way by the links alone', () => {
  const outside = 'https://metal.example.org/baremetal';

  /** What a proxy does that is mounted at `outside`: takes its prefix off, and says for whom it speaks. */
  async function through(url: string, headers: Record<string, string>): Promise<Seen> {
    expect(url.startsWith(`${outside}/`)).toBe(true);
    return api.call('GET', url.slice(outside.length), undefined, '1.115', headers);
  }

  const linksIn = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { href, next } = value as { href?: unknown; next?: unknown };
    const own = [href, next].filter((one): one is string => typeof one === 'string');
    return [...own, ...Object.values(value).flatMap(linksIn)];
  };

  it.each([
    [
      'the headers of a trusted proxy',
      { oslo_middleware: { enable_proxy_headers_parsing: true } },
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'metal.example.org', 'X-Forwarded-Prefix': '/baremetal' },
    ],
    ['the settings', { api: { public_endpoint: `${outside}/` } }, {}],
  ])('behind a proxy, by %s', async (_how, settings: Values, headers) => {
    await start(settings);
    const [node] = await enrolled(3);
    for (const n of [1, 2, 3])
      await api.must(201, 'POST', '/v1/ports', { node_uuid: node, address: `52:54:00:00:00:0${n}` });
    const seen = new Set<string>();
    const open = [
      `${outside}/v1/nodes?limit=1`,
      `${outside}/v1/nodes/detail?limit=2`,
      `${outside}/v1/ports?limit=1`,
      `${outside}/v1/nodes/${node}/ports?limit=2`,
    ];
    for (let url = open.shift(); url !== undefined; url = open.shift()) {
      if (seen.has(url)) continue;
      seen.add(url);
      const answer = await through(url, headers as Record<string, string>);
      expect([url, answer.status]).toEqual([url, 200]);
      open.push(...linksIn(answer.body));
    }
    const paths = [...seen].map((url) => new URL(url).pathname);
    expect(paths).toEqual(
      expect.arrayContaining([
        `/baremetal/v1/nodes/${node}`,
        `/baremetal/nodes/${node}`,
        `/baremetal/v1/nodes/${node}/states`,
      ]),
    );
    expect(paths.filter((path) => path === `/baremetal/v1/nodes/${node}/ports`).length).toBeGreaterThan(1);
  });

  it('with no proxy, by the host that was asked; a header that nobody trusts changes nothing', async () => {
    await start();
    await enrolled(2);
    const lie = {
      'X-Forwarded-Host': 'evil.example.org',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'host=evil.example.org',
    };
    const { next, items } = pageOf(await api.call('GET', '/v1/nodes?limit=1', undefined, '1.115', lie));
    expect([next, ...linksIn(items)].filter((url) => !url!.startsWith(`${api.url}/`))).toEqual([]);
  });
});

it('LST-07: choosing fields changes no value', async () => {
  await start();
  const fields = {
    name: 'full',
    driver_info: { ipmi_password: 'secret', ipmi_address: '192.0.2.1' },
    instance_info: { configdrive: 'data', image_url: 'http://192.0.2.2/i' },
    extra: { a: [1, { password: 'x' }] },
    description: 'd',
    properties: { cpus: 4 },
  };
  const uuid = await api.waiting({ fields });
  await api.token(uuid);
  await api.provision(uuid, 'abort');
  const full = (await api.node(uuid)) as Record<string, unknown>;
  expect(full).toMatchObject({
    last_error: expect.stringContaining('aborted'),
    driver_info: { ipmi_password: '******' },
  });
  const own = ['created_at', 'updated_at', 'links', 'ports', 'states', 'portgroups', 'volume'];
  for (const field of Object.keys(full).filter((name) => !own.includes(name))) {
    const one = (await api.call('GET', `/v1/nodes/${uuid}?fields=${field}`)).body as object;
    const [listed] = (await api.call('GET', `/v1/nodes?fields=${field}`)).body.nodes as object[];
    const expected = { [field]: full[field], links: full['links'] };
    expect([field, one, listed]).toEqual([field, expected, expected]);
  }
});

it.each(['1.38', '1.71', '1.115'])('LST-08: at %s every way to a list shows the same of a node', async (version) => {
  await start();
  const instance = '6e0c1e1c-0000-4000-8000-0000000000aa';
  const chassis = ((await api.must(201, 'POST', '/v1/chassis', {})).body as { uuid: string }).uuid;
  const uuid = await api.waiting({
    fields: { instance_uuid: instance, chassis_uuid: chassis, description: 'd', driver_info: { password: 'x' } },
  });
  const one = (await api.call('GET', `/v1/nodes/${uuid}`, undefined, version)).body as object;
  const paths = [
    '/v1/nodes/detail',
    `/v1/nodes/detail?instance_uuid=${instance}`,
    '/v1/nodes/detail?maintenance=false&sort_key=uuid',
    `/v1/chassis/${chassis}/nodes/detail`,
    ...(version === '1.38' ? [] : ['/v1/nodes?detail=true', `/v1/nodes?instance_uuid=${instance}&detail=true`]),
  ];
  for (const path of paths) {
    const { body } = await api.call('GET', path, undefined, version);
    expect([path, body.nodes]).toEqual([path, [one]]);
  }
  const refused = await api.call('GET', '/v1/nodes?detail=true', undefined, '1.38');
  expect(refused.status).toBe(400);
  const short = ['/v1/nodes', `/v1/nodes?instance_uuid=${instance}`, `/v1/chassis/${chassis}/nodes`];
  for (const path of short) {
    const [listed] = (await api.call('GET', path, undefined, version)).body.nodes as Record<string, unknown>[];
    const picked = Object.fromEntries(Object.keys(listed!).map((key) => [key, one[key as keyof typeof one]]));
    expect([path, listed]).toEqual([path, picked]);
    expect(Object.keys(listed!)).toHaveLength(7);
  }
});
