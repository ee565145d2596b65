/** Reports on JSON Patch, names, and text in any script. */
import unicode from '../contract-data/field-cases/baremetal-create-unicode.json';
import { Whole, inMemory, inSqlite, type Client, type Seen } from '../whole';
import { expectSoundEnd } from './row';

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start();
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

const create = (fields: object, version?: string): Promise<Seen> =>
  api.call('POST', '/v1/nodes', { driver: 'fake-hardware', ...fields }, version);

async function enrolled(fields: object = {}): Promise<string> {
  const answer = await create(fields);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return (answer.body as { uuid: string }).uuid;
}

const patch = (uuid: string, operations: unknown, version?: string): Promise<Seen> =>
  api.call('PATCH', `/v1/nodes/${uuid}`, operations, version);

const faultOf = ({ body }: Seen): string =>
  (JSON.parse((body as { error_message: string }).error_message) as { faultstring: string }).faultstring;

describe('PAT-02: keys that hold `/` or `~`', () => {
  it.each([
    ['/extra/a~1b~0c', 'a/b~c'],
    ['/extra/~01', '~1'],
    ['/extra/~1~1', '//'],
    ['/extra/~0', '~'],
  ])('%s names the key %s from 1.98 on', async (path, key) => {
    const uuid = await enrolled({ extra: { kept: true } });
    for (const value of [1, 2]) {
      expect((await patch(uuid, [{ op: 'add', path, value }], '1.98')).status).toBe(200);
      expect((await api.node(uuid)).extra).toEqual({ kept: true, [key]: value });
    }
    expect((await patch(uuid, [{ op: 'remove', path }], '1.98')).status).toBe(200);
    expect((await api.node(uuid)).extra).toEqual({ kept: true });
  });

  it.each(['1.1', '1.97'])('are refused at %s', async (version) => {
    const uuid = await enrolled();
    expect((await patch(uuid, [{ op: 'add', path: '/extra/a~1b', value: 1 }], version)).status).toBe(400);
    expect((await api.node(uuid)).extra).toEqual({});
  });

  it.each(['/extra/~', '/extra/~2', '/extra/a~'])('a tilde that escapes nothing is refused: %s', async (path) => {
    const uuid = await enrolled();
    expect((await patch(uuid, [{ op: 'add', path, value: 1 }])).status).toBe(400);
    expect((await api.node(uuid)).extra).toEqual({});
  });
});

describe('PAT-04: a node cannot be named', () => {
  const parts = ['detail', 'states', 'ports', 'validate', 'maintenance', 'management', 'vendor_passthru'];
  it.each(parts)('`%s`, which is part of a path', async (name) => {
    expect((await create({ name })).status).toBe(400);
    const uuid = await enrolled();
    expect((await patch(uuid, [{ op: 'replace', path: '/name', value: name }])).status).toBe(400);
  });

  it.each(['6e0c1e1c-0000-4000-8000-000000000000', '6E0C1E1C00004000800000000000AAAA'])(
    'as a UUID is: %s',
    async (name) => {
      expect((await create({ name })).status).toBe(400);
    },
  );

  it('nor a port group as the list in detail', async () => {
    const body = { node_uuid: await enrolled(), name: 'detail' };
    expect((await api.call('POST', '/v1/portgroups', body)).status).toBe(400);
    const { uuid } = (await api.must(201, 'POST', '/v1/portgroups', { ...body, name: 'details' })).body as {
      uuid: string;
    };
    const renamed = [{ op: 'replace', path: '/name', value: 'detail' }];
    expect((await api.call('PATCH', `/v1/portgroups/${uuid}`, renamed)).status).toBe(400);
  });

  it('so that whatever is given as a name finds its node', async () => {
    for (const name of ['history', 'inventory', 'vmedia', 'details', 'nodes', 'v1', '-', '~', '.x']) {
      const answer = await create({ name });
      if (answer.status !== 201) {
        expect([name, answer.status]).toEqual([name, 400]);
        continue;
      }
      const found = await api.call('GET', `/v1/nodes/${name}`);
      expect([name, found.status, found.body?.uuid]).toEqual([name, 200, (answer.body as { uuid: string }).uuid]);
    }
  });
});

describe('PAT-07: text in any script', () => {
  const texts = [
    ['four-byte characters', '🔥 hot spare 🧊'],
    ['marks of direction', 'a \u202ertl\u202c b'],
    ['both forms of one letter', 'caf\u00e9 cafe\u0301'],
    ['what JSON escapes', '"\\\b\f\n\r\t\u2028\u2029/'],
    ['the ends of the planes', '\ufffd\uffff\u{10ffff}'],
  ] as const;

  it.each(texts)('%s come back as they were sent', async (_what, text) => {
    const uuid = await enrolled({ description: text, extra: { [text]: [text] } });
    expect(await api.node(uuid)).toMatchObject({ description: text, extra: { [text]: [text] } });
    const [listed] = (await api.call('GET', '/v1/nodes?fields=description,extra')).body.nodes;
    expect(listed).toMatchObject({ description: text, extra: { [text]: [text] } });
    const found = await api.call('GET', `/v1/nodes?description_contains=${encodeURIComponent(text)}`);
    expect(found.body.nodes).toHaveLength(1);
  });

  const odd = [
    ['a NUL', '"a\\u0000b"'],
    ['half a pair', '"a\\ud83d"'],
    ['the other half', '"\\udd25a"'],
    ['a pair the wrong way round', '"\\udd25\\ud83d"'],
  ] as const;
  const headers = { 'Content-Type': 'application/json' };

  it.each(odd)('%s is refused where it is a text of its own', async (_what, json) => {
    const body = `{"driver":"fake-hardware","description":${json}}`;
    expect((await api.call('POST', '/v1/nodes', body, '1.115', headers)).status).toBe(400);
    const uuid = await enrolled();
    const operation = `[{"op":"add","path":"/description","value":${json}}]`;
    expect((await api.call('PATCH', `/v1/nodes/${uuid}`, operation, '1.115', headers)).status).toBe(400);
  });

  it.each(odd)('%s stays what it is inside free objects, escaped', async (_what, json) => {
    const body = `{"driver":"fake-hardware","extra":{${json}:[${json}]}}`;
    const made = await api.call('POST', '/v1/nodes', body, '1.115', headers);
    expect(made.status).toBe(201);
    const { text } = await api.call('GET', `/v1/nodes/${(made.body as { uuid: string }).uuid}?fields=extra`);
    expect(text.replaceAll(/\s/g, '')).toContain(`{${json}:[${json}]}`);
  });

  it.each(['nœud-1', 'a b', 'a/b', '', 'x'.repeat(256), '🔥'])('no name: %p', async (name) => {
    expect((await create({ name })).status).toBe(400);
  });

  it('a name that ends in .json is found by it, and a key `__proto__` is data', async () => {
    const [{ ports, portgroups, ...node }] = unicode.chassis[0]!.nodes as unknown as [Record<string, unknown>];
    expect([ports, portgroups]).toEqual([[], expect.any(Array)]);
    // As the file is read by JSON.parse: `__proto__` is a key of its own.
    const uuid = await enrolled(node);
    const found = await api.call('GET', '/v1/nodes/n-unicode.json');
    expect(found.body).toMatchObject({ uuid, description: node['description'] });
    expect(JSON.stringify(found.body.extra)).toBe(JSON.stringify(node['extra']));
    expect(found.body.properties).toEqual(node['properties']);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect('x' in {}).toBe(false);
  });
});

describe.each([
  ['memory', inMemory],
  ['SQLite', inSqlite],
])('PAT-08: a description is searched for what was written (%s)', (_name, store) => {
  it('whatever a database would read into it', async () => {
    await whole.stop();
    whole = await Whole.start({ store });
    api = await whole.api();
    const descriptions = [
      '100% sure',
      'under_score',
      "o'brien",
      'back\\slash',
      'plain; drop table nodes',
      'a"b',
      '*?[a]',
    ];
    for (const description of descriptions) await enrolled({ description });
    const found = async (text: string): Promise<string[]> => {
      const path = `/v1/nodes?fields=description&description_contains=${encodeURIComponent(text)}`;
      const answer = await api.call('GET', path);
      expect([text, answer.status]).toEqual([text, 200]);
      return (answer.body as { nodes: { description: string }[] }).nodes.map(({ description }) => description).sort();
    };
    const holding = (text: string): string[] => descriptions.filter((one) => one.includes(text)).sort();
    for (const text of ['100%', '%', '_', "'", '\\', ';', '"', '*', '?', '[', "' OR 1=1 --", 'e%k', ''])
      expect([text, await found(text)]).toEqual([text, holding(text)]);
  });
});

describe('PAT-09: null is a value', () => {
  it.each(['description', 'resource_class', 'owner', 'lessee', 'shard', 'instance_name', 'automated_clean'])(
    'that empties %s',
    async (field) => {
      const value = field === 'automated_clean' ? true : 'something';
      const uuid = await enrolled();
      expect((await patch(uuid, [{ op: 'add', path: `/${field}`, value }])).status).toBe(200);
      expect((await api.node(uuid))[field]).toBe(value);
      expect((await patch(uuid, [{ op: 'replace', path: `/${field}`, value: null }])).status).toBe(200);
      expect((await api.node(uuid))[field]).toBeNull();
    },
  );

  it('inside free objects', async () => {
    const uuid = await enrolled({ extra: { a: 1 } });
    expect((await patch(uuid, [{ op: 'replace', path: '/extra/a', value: null }])).status).toBe(200);
    expect((await api.node(uuid)).extra).toEqual({ a: null });
  });

  it.each(['driver', 'maintenance', 'conductor_group', 'name'])('that %s cannot have', async (field) => {
    const uuid = await enrolled({ name: 'named' });
    const before = await api.node(uuid);
    const answer = await patch(uuid, [{ op: 'replace', path: `/${field}`, value: null }]);
    expect([answer.status, faultOf(answer)]).toEqual([400, expect.stringContaining(field)]);
    expect(await api.node(uuid)).toEqual(before);
  });
});

describe('PAT-10: what is no patch is refused, and said so', () => {
  const jsonPatch = 'application/json-patch+json';
  it.each([
    ['an object', 'application/json', { extra: {} }],
    ['a merge patch', 'application/merge-patch+json', { extra: { a: 1 } }],
    ['a text', jsonPatch, 'extra'],
    ['null', jsonPatch, null],
    ['operations that are none', jsonPatch, ['add', 1]],
    ['an unknown operation', jsonPatch, [{ op: 'merge', path: '/extra', value: {} }]],
    ['an operation of RFC 6902 that is not offered', jsonPatch, [{ op: 'test', path: '/extra', value: {} }]],
    ['an operation without a path', jsonPatch, [{ op: 'add', value: 1 }]],
    ['an add without a value', jsonPatch, [{ op: 'add', path: '/extra/a' }]],
    ['an operation with a key too many', jsonPatch, [{ op: 'add', path: '/extra/a', value: 1, if: 1 }]],
  ])('%s (%s)', async (_what, type, body) => {
    const uuid = await enrolled();
    const before = await api.node(uuid);
    const headers = { 'Content-Type': type };
    const answer = await api.call('PATCH', `/v1/nodes/${uuid}`, JSON.stringify(body), '1.115', headers);
    expect([answer.status, faultOf(answer)]).toEqual([400, expect.stringMatching(/\w+ \w+/)]);
    expect(await api.node(uuid)).toEqual(before);
  });

  it('an array of operations is one, whatever it calls itself', async () => {
    const uuid = await enrolled();
    const body = JSON.stringify([{ op: 'add', path: '/extra/a', value: 1 }]);
    for (const type of [jsonPatch, 'application/json', 'text/plain']) {
      const answer = await api.call('PATCH', `/v1/nodes/${uuid}`, body, '1.115', { 'Content-Type': type });
      expect([type, answer.status]).toEqual([type, 200]);
    }
  });
});
