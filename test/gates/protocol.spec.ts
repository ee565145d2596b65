/**
 * What holds at every path and in every version. contract: errors-and-negotiation.md §1 (versions), §3 (paths, suffixes,
 * types), §5 (forms of faults)
 */
import { Bed } from './bed';
import { NEWEST } from './facts';
import { pathOf, places } from './paths';
import { formOf } from './shape';
import { makeThings, RULE, type Things } from './things';
import type { Seen } from './http';

let bed: Bed;
let things: Things;

beforeAll(async () => {
  bed = await Bed.start();
  things = await makeThings(bed);
}, 60_000);
afterAll(() => bed.stop());

const IRONIC = 'X-OpenStack-Ironic-API-Version';
const STANDARD = 'OpenStack-API-Version';

const versions = ({ headers }: Seen) =>
  ['', '-minimum', '-maximum'].map((part) => headers[`x-openstack-ironic-api${part}-version`]);

const hasIds = ({ headers }: Seen): boolean =>
  /^req-[0-9a-f-]{36}$/.test(headers['openstack-request-id'] ?? '') &&
  headers['x-openstack-request-id'] === headers['openstack-request-id'];

const readable = places.filter(({ methods }) => methods.includes('GET'));

/** Looking one up changes the node (a token), so asking twice gives two answers. */
const steady = readable.filter(({ pattern }) => pattern !== '/v1/lookup');

/** Not in the table of endpoints, and served (contract: other-resources.md §6). */
const beyond = 'DELETE /v1/inspection_rules';

describe('every version', () => {
  it('is agreed to and named, with the range, in answers, faults and refusals of the router', async () => {
    for (let minor = 1; minor <= NEWEST; minor += 1) {
      expect([minor, (await bed.ask('GET', `/v1/nodes/${things.node}`, minor)).status]).toEqual([minor, 200]);
      expect([minor, (await bed.ask('GET', `/v1/ports/${things.chassis}`, minor)).status]).toEqual([minor, 404]);
      expect([minor, (await bed.ask('GET', '/v1/none-such', minor)).status]).toEqual([minor, 404]);
      expect([minor, (await bed.ask('PUT', '/v1/nodes', minor, {})).status]).toEqual([minor, 405]);
      expect([minor, (await bed.ask('HEAD', '/v1', minor)).text]).toEqual([minor, '']);
    }
  });

  it('is found in the standard header, and in the newest by its word', async () => {
    for (const minor of [1, 2, 39, 90, 91, NEWEST]) {
      const standard = await bed.raw('GET', '/v1/nodes', { [STANDARD]: `baremetal 1.${minor}`, [IRONIC]: '1.999' });
      expect(versions(standard)).toEqual([`1.${minor}`, '1.1', '1.115']);
    }
    for (const word of ['latest', 'LATEST', 'Latest']) {
      expect(versions(await bed.raw('GET', '/v1/nodes', { [IRONIC]: word }))[0]).toBe('1.115');
      expect(versions(await bed.raw('GET', '/v1/nodes', { [STANDARD]: `baremetal ${word}` }))[0]).toBe('1.115');
    }
  });
});

describe.each(places.map(({ pattern, methods, min }) => [pattern, methods, min] as const))('%s', (pattern, methods) => {
  const path = () => pathOf(pattern, things);
  const method = methods[0] ?? 'GET';

  it.each(['1.0', '1.116', '2.1'])('refuses version %s with the range', async (version) => {
    const seen = await bed.raw(method, path(), { [IRONIC]: version }, method === 'GET' ? undefined : {});
    expect([seen.status, formOf(seen), versions(seen), hasIds(seen)]).toEqual([
      406,
      'router',
      [undefined, '1.1', '1.115'],
      true,
    ]);
  });

  it.each(['abc', '1', '1.2.3', 'v1.39', '1,39'])('refuses what is no version, "%s", without any', async (version) => {
    const seen = await bed.raw(method, path(), { [IRONIC]: version });
    expect([seen.status, formOf(seen), versions(seen), hasIds(seen)]).toEqual([
      406,
      'router',
      [undefined, undefined, undefined],
      true,
    ]);
  });

  it('answers OPTIONS with nothing, whatever the version', async () => {
    for (const version of ['1.1', '1.115', 'abc']) {
      const seen = await bed.raw('OPTIONS', path(), { [IRONIC]: version });
      expect([seen.status, seen.text, versions(seen), seen.headers['openstack-request-id']]).toEqual([
        200,
        '',
        [undefined, undefined, undefined],
        undefined,
      ]);
    }
  });

  it('answers HEAD with 405 and no body', async () => {
    const seen = await bed.raw('HEAD', path(), { [IRONIC]: '1.115' });
    expect([seen.status, seen.text, hasIds(seen), seen.headers['allow'] === undefined]).toEqual([405, '', true, false]);
  });

  it('refuses methods that it does not have, naming those that it has', async () => {
    const foreign = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (one) => !methods.includes(one) && `${one} ${pattern}` !== beyond,
    );
    for (const one of foreign) {
      const seen = await bed.ask(one, path(), NEWEST, one === 'GET' ? undefined : {});
      expect([one, [400, 404, 405].includes(seen.status)]).toEqual([one, true]);
      if (seen.status !== 405) continue;
      const allowed = (seen.headers['allow'] ?? '').split(', ');
      // Below `states` the contract's router names the document above.
      const wanted = pattern.includes('/states/') && one !== 'GET' ? ['GET'] : methods;
      expect([one, wanted.filter((name) => !allowed.includes(name))]).toEqual([one, []]);
    }
  });

  it('answers no client that takes no JSON', async () => {
    for (const accept of ['text/html', 'application/xml']) {
      const seen = await bed.raw(method, path(), { [IRONIC]: '1.115', Accept: accept });
      expect([seen.status, versions(seen)[0], hasIds(seen)]).toEqual([406, undefined, true]);
    }
  });
});

/** What is written of an answer is the same, but for the times and links that go with the request. */
const told = ({ status, body, text }: Seen): string => `${status} ${body === undefined ? text : JSON.stringify(body)}`;

describe('one address, several ways to write it', () => {
  it.each(steady.map(({ pattern }) => [pattern]))(
    '%s with a slash behind it, or without /v1 before it',
    async (pattern) => {
      const path = pathOf(pattern, things);
      const plain = told(await bed.ask('GET', path));
      expect(told(await bed.ask('GET', `${path}/`))).toBe(plain);
      expect(told(await bed.ask('GET', path.replace('/v1', '')))).toBe(plain);
    },
  );

  const OLD = 90;
  const old = steady.filter(({ min }) => min <= OLD);

  it.each(old.map(({ pattern }) => [pattern]))('%s with .json behind it, below 1.91', async (pattern) => {
    const path = pathOf(pattern, things);
    expect(told(await bed.ask('GET', `${path}.json`, OLD))).toBe(told(await bed.ask('GET', path, OLD)));
  });

  it.each(['/v1/nodes', '/v1/ports', '/v1/drivers', '/v1/chassis'])(
    '%s.json is another path without a version header, and from 1.91 on',
    async (path) => {
      expect((await bed.raw('GET', `${path}.json`, {})).status).toBe(404);
      expect((await bed.ask('GET', `${path}.json`, OLD + 1)).status).toBe(404);
      expect((await bed.raw('GET', `${path}.json`, { [STANDARD]: 'baremetal 1.90' })).status).toBe(200);
    },
  );

  it('the document of /v1 as well', async () => {
    const plain = told(await bed.ask('GET', '/v1', OLD));
    for (const path of ['/v1/', '/v1.json']) expect(told(await bed.ask('GET', path, OLD))).toBe(plain);
  });

  it('only one slash is overlooked', async () => {
    for (const path of ['/v1/nodes//', '/v1//nodes', '//v1/nodes'])
      expect([path, [400, 404].includes((await bed.ask('GET', path)).status)]).toEqual([path, true]);
  });
});

describe('a name that ends with .json', () => {
  const NAME = 'odd.json';

  it('is found where the shorter one is not: nodes, port groups, allocations, heartbeats', async () => {
    const node = await bed.node({ name: NAME });
    const group = await bed.create('/v1/portgroups', { node_uuid: node, name: NAME });
    const allocation = await bed.create('/v1/allocations', { resource_class: 'none-such', name: NAME });
    for (const [path, uuid] of [
      ['nodes', node],
      ['portgroups', group],
      ['allocations', allocation],
    ] as const) {
      for (const minor of [90, 91]) {
        const { body } = await bed.ask('GET', `/v1/${path}/${NAME}`, minor);
        expect([path, minor, (body as { uuid: string }).uuid]).toEqual([path, minor, uuid]);
      }
    }
    // It is this node that refuses: one that is not there would be 404.
    const beat = await bed.ask('POST', `/v1/heartbeat/${NAME}`, 90, { callback_url: '' });
    expect([beat.status, beat.text.includes('agent_token')]).toEqual([400, true]);
  });

  it('gives way to the shorter one below 1.91', async () => {
    const short = await bed.node({ name: 'even' });
    const long = await bed.node({ name: 'even.json' });
    const at = async (minor: number) =>
      ((await bed.ask('GET', '/v1/nodes/even.json', minor)).body as { uuid: string }).uuid;
    expect([await at(90), await at(91)]).toEqual([short, long]);
  });
});

describe('escapes in the paths of a PATCH', () => {
  const CASES: readonly (readonly [string, (place: Things) => Promise<string>, string])[] = [
    ['node', async () => `/v1/nodes/${await bed.node()}`, '/extra'],
    ['port', async ({ node }) => `/v1/ports/${await bed.port(node)}`, '/extra'],
    ['port group', async ({ portgroup }) => `/v1/portgroups/${portgroup}`, '/extra'],
    ['chassis', async ({ chassis }) => `/v1/chassis/${chassis}`, '/extra'],
    ['allocation', async ({ allocation }) => `/v1/allocations/${allocation}`, '/extra'],
    ['volume connector', async ({ connector }) => `/v1/volume/connectors/${connector}`, '/extra'],
    ['volume target', async ({ target }) => `/v1/volume/targets/${target}`, '/properties'],
    ['deploy template', async ({ template }) => `/v1/deploy_templates/${template}`, '/steps/0/args'],
    ['runbook', async ({ runbook }) => `/v1/runbooks/${runbook}`, '/extra'],
    [
      'inspection rule',
      async () => `/v1/inspection_rules/${await bed.create('/v1/inspection_rules', RULE)}`,
      '/actions/0/args/msg',
    ],
  ];

  it.each(CASES)('of a %s: from 1.98 on', async (noun, make, field) => {
    const path = await make(things);
    const add = (key: string, value: unknown = 1) => [{ op: 'add', path: `${field}/${key}`, value }];
    for (const key of ['a~1b', 'a~0b', '~01', 'a~0~1b']) {
      expect([noun, key, (await bed.ask('PATCH', path, 97, add(key))).status]).toEqual([noun, key, 400]);
      const seen = await bed.ask('PATCH', path, 98, add(key));
      const inText = field.endsWith('/msg');
      expect([noun, key, seen.status]).toEqual([noun, key, inText ? 400 : 200]);
      const literal = key.replaceAll('~1', '/').replaceAll('~0', '~');
      if (!inText) expect(seen.text).toContain(JSON.stringify(literal));
    }
    for (const wrong of ['a~2b', 'a~', '~'])
      expect([noun, wrong, (await bed.ask('PATCH', path, 98, add(wrong))).status]).toEqual([noun, wrong, 400]);
  });

  it('are no way to another field', async () => {
    const patch = [{ op: 'add', path: '/extra~1x', value: 1 }];
    expect((await bed.ask('PATCH', `/v1/nodes/${things.node}`, 98, patch)).status).toBe(400);
  });
});

describe('request ids', () => {
  it('are new for each answer, whatever the client calls its request', async () => {
    const headers = { [IRONIC]: '1.115', 'X-OpenStack-Request-ID': 'req-11111111-2222-4333-8444-555555555555' };
    const seen = [await bed.raw('GET', '/v1', headers), await bed.raw('GET', '/v1', headers)];
    const ids = seen.map((one) => one.headers['openstack-request-id']);
    expect(new Set([...ids, headers['X-OpenStack-Request-ID']]).size).toBe(3);
  });
});
