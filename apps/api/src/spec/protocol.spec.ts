/** What holds for every request, over real HTTP. contract: errors-and-negotiation.md */
import { LogUnavailable } from '@lib/ports';
import { ApiHarness } from './api-harness';

let api: ApiHarness;
beforeAll(async () => {
  api = await ApiHarness.start();
});
afterAll(() => api.stop());

const versions = ({ headers }: { headers: Headers }) =>
  ['', '-minimum', '-maximum'].map((part) => headers.get(`x-openstack-ironic-api${part}-version`));

const NODE = '11111111-2222-4333-8444-555555555555';

describe('discovery', () => {
  it('shows the root document, also to POST', async () => {
    const root = await api.get('/');
    expect(root.status).toBe(200);
    const version = {
      id: 'v1',
      links: [{ href: `${api.api.url}/v1/`, rel: 'self' }],
      status: 'CURRENT',
      min_version: '1.1',
      version: '1.115',
    };
    expect(root.body).toMatchObject({ name: 'OpenStack Ironic API', default_version: version, versions: [version] });
    expect(versions(root)).toEqual(['1.1', '1.1', '1.115']);
    expect((await api.call('POST', '/', undefined, {})).body).toEqual(root.body);
  });

  it('lists in /v1 what the version knows', async () => {
    const resources = async (version: string) => Object.keys((await api.get('/v1', version)).body);
    expect(await resources('1.1')).toEqual(expect.arrayContaining(['chassis', 'nodes', 'ports', 'drivers']));
    expect(await resources('1.1')).not.toContain('portgroups');
    expect(await resources('1.115')).toEqual(expect.arrayContaining(['portgroups', 'inspection_rules', 'events']));
    expect((await api.get('/v1/', '1.39')).body.nodes).toEqual([
      { href: `${api.api.url}/v1/nodes/`, rel: 'self' },
      { href: `${api.api.url}/nodes/`, rel: 'bookmark' },
    ]);
  });

  it('answers HEAD on /v1 with nothing, other methods with 405 in the resource form', async () => {
    const head = await api.call('HEAD', '/v1', '1.82');
    expect([head.status, head.text]).toEqual([200, '']);
    const post = await api.call('POST', '/v1', '1.82', {});
    expect([post.status, post.fault.faultcode, versions(post)[0]]).toEqual([405, 'Client', '1.82']);
  });

  it('answers OPTIONS with an empty 200 that carries no ids', async () => {
    const options = await api.call('OPTIONS', '/v1', '1.82');
    expect([options.status, options.text, options.headers.get('openstack-request-id')]).toEqual([200, '', null]);
    expect(versions(options)).toEqual([null, null, null]);
  });
});

describe('version headers', () => {
  it.each(['1.0', '1.999', '2.0', '-1.1'])('refuses %s with the range, in the router form', async (version) => {
    const answer = await api.get('/v1/nodes', version);
    expect([answer.status, Object.keys(answer.fault)]).toEqual([406, ['code', 'title', 'description']]);
    expect(versions(answer)).toEqual([null, '1.1', '1.115']);
    expect(answer.headers.get('openstack-request-id')).toMatch(/^req-[0-9a-f-]{36}$/);
  });

  it('refuses what is no version without any of the three', async () => {
    const answer = await api.get('/v1/nodes', 'abc');
    expect([answer.status, versions(answer)]).toEqual([406, [null, null, null]]);
  });

  it('checks the version on / in the resource form, and on unknown paths', async () => {
    const root = await api.get('/', '1.999');
    expect([root.status, root.fault.faultcode, versions(root)]).toEqual([406, 'Client', [null, '1.1', '1.115']]);
    expect((await api.get('/v1/bogus', '1.999')).status).toBe(406);
  });

  it('tells the agreed version also in errors, and both request ids are one', async () => {
    const answer = await api.get(`/v1/nodes/${NODE}`, 'latest');
    expect([answer.status, versions(answer)]).toEqual([404, ['1.115', '1.1', '1.115']]);
    expect(answer.headers.get('x-openstack-request-id')).toBe(answer.headers.get('openstack-request-id'));
    expect(answer.fault).toEqual({
      faultcode: 'Client',
      faultstring: `Node ${NODE} could not be found.`,
      debuginfo: null,
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
  });
});

describe('paths and methods', () => {
  it.each(['/v2', '/v1/bogus', '/v1//nodes', '/bogus/x', '/v1/nodes/traits'])(
    '%s is unknown: 404 of the router',
    async (path) => {
      const answer = await api.get(path, '1.82');
      expect([answer.status, answer.fault]).toEqual([404, { code: 404, title: 'Not Found', description: '' }]);
      expect(versions(answer)).toEqual([null, null, null]);
    },
  );

  it.each([
    ['PUT', '/v1/nodes', 'DELETE, GET, PATCH, POST'],
    ['HEAD', '/v1/nodes', 'DELETE, GET, PATCH, POST'],
    ['PUT', `/v1/nodes/${NODE}`, 'DELETE, GET, PATCH, POST'],
    ['GET', `/v1/nodes/${NODE}/maintenance`, 'DELETE, PUT'],
    ['DELETE', `/v1/nodes/${NODE}/history`, 'GET'],
    ['GET', `/v1/nodes/${NODE}/states/provision`, 'PUT'],
    ['POST', `/v1/nodes/${NODE}/states/provision`, 'GET'],
    ['PUT', `/v1/nodes/${NODE}/states/bogus`, 'GET'],
    ['GET', '/v1/events', 'POST'],
    ['POST', '/v1/drivers', 'GET'],
  ])('%s %s is 405, allowed: %s', async (method, path, allow) => {
    const answer = await api.call(method, path, '1.82');
    expect([answer.status, answer.headers.get('allow'), versions(answer)[0]]).toEqual([405, allow, null]);
    if (method !== 'HEAD') expect(answer.fault).toEqual({ code: 405, title: 'Method Not Allowed', description: '' });
  });

  it('takes paths without /v1, with one trailing slash, and refuses GET of a managed word', async () => {
    expect((await api.get('/nodes')).status).toBe(200);
    expect((await api.get('/v1/nodes/', '1.82')).status).toBe(200);
    expect((await api.get(`/v1/nodes/${NODE}/management`, '1.82')).status).toBe(405);
  });

  it('refuses idents that no node can have with 400 of the router', async () => {
    for (const [ident, version] of [
      ['bad%20name', '1.82'],
      ['%21%21', '1.82'],
      ['Upper', '1.7'],
      ['%zz', '1.82'],
    ] as const) {
      const answer = await api.get(`/v1/nodes/${ident}`, version);
      expect([ident, answer.status, answer.fault?.code]).toEqual([ident, 400, 400]);
      expect(versions(answer)).toEqual([null, null, null]);
    }
  });

  it.each([
    ['GET', `/v1/nodes/${NODE}/history`, '1.77', 404, 'router'],
    ['GET', `/v1/nodes/${NODE}/inventory`, '1.80', 404, 'router'],
    ['GET', '/v1/volume/connectors', '1.31', 404, 'router'],
    ['GET', '/v1/deploy_templates', '1.54', 404, 'router'],
    ['GET', '/v1/conductors', '1.48', 404, 'resource'],
    ['GET', '/v1/volume', '1.31', 404, 'resource'],
    ['GET', '/v1/allocations', '1.51', 404, 'resource'],
    ['GET', '/v1/shards', '1.81', 404, 'resource'],
    ['POST', '/v1/allocations', '1.51', 405, 'resource'],
    ['GET', `/v1/nodes/${NODE}/traits`, '1.36', 406, 'resource'],
  ])('%s %s at %s is too old: %d, %s form', async (method, path, version, status, form) => {
    const answer = await api.call(method, path, version);
    const router = Object.keys(answer.fault).includes('code');
    expect([answer.status, router ? 'router' : 'resource']).toEqual([status, form]);
    expect(versions(answer)[0]).toBe(form === 'router' ? null : version);
  });

  it('answers truthfully for what it does not keep', async () => {
    const lists = ['allocations', 'shards'];
    for (const name of lists) expect((await api.get(`/v1/${name}`, '1.115')).body).toEqual({ [name]: [] });
    expect((await api.get(`/v1/allocations/${NODE}`, '1.115')).status).toBe(404);
    expect((await api.call('POST', '/v1/allocations', '1.115', {})).status).toBe(400);
    expect((await api.get('/v1/allocations?bogus=1', '1.115')).status).toBe(400);
  });
});

describe('bodies and Accept', () => {
  it('refuses clients that take no JSON, as text inside the string', async () => {
    const answer = await api.call('GET', '/v1/nodes', '1.39', undefined, { Accept: 'text/html' });
    expect([answer.status, typeof answer.body.error_message, answer.fault, versions(answer)[0]]).toEqual([
      406,
      'string',
      undefined,
      null,
    ]);
    expect((await api.call('GET', '/v1/nodes', '1.39', undefined, { Accept: '*/*' })).status).toBe(200);
  });

  it('refuses JSON over the size with 413, not wrapped, and lets provisioning send more', async () => {
    const large = { driver: 'fake-hardware', extra: { x: 'y'.repeat(1024 * 1024) } };
    const answer = await api.call('POST', '/v1/nodes', '1.82', large);
    expect([answer.status, answer.body.faultcode, versions(answer)[0]]).toEqual([413, 'Client', null]);
    expect(answer.headers.get('openstack-request-id')).not.toBeNull();
    const drive = { target: 'active', configdrive: 'A'.repeat(2 * 1024 * 1024) };
    expect((await api.call('PUT', `/v1/nodes/${NODE}/states/provision`, '1.82', drive)).status).toBe(404);
  });

  it('counts the bytes of a body whose length nobody told', async () => {
    async function* pieces(count: number) {
      for (let at = 0; at < count; at += 1) yield Buffer.alloc(64 * 1024, 'x');
    }
    const send = async (count: number) => {
      const headers = { 'Content-Type': 'application/json', 'X-OpenStack-Ironic-API-Version': '1.82' };
      const body = pieces(count) as unknown as RequestInit['body'];
      const options = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
      const answer = await fetch(`${api.api.url}/v1/nodes`, options);
      await answer.text();
      return answer.status;
    };
    expect(await send(17)).toBe(413);
    expect(await send(15)).toBe(400);
  });

  it('refuses JSON nested too deep with 400, not wrapped; brackets in strings do not count', async () => {
    const nested = (depth: number) =>
      `{"driver":"fake-hardware","extra":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
    const answer = await api.call('POST', '/v1/nodes', '1.82', nested(25));
    expect([answer.status, answer.body.faultcode]).toEqual([400, 'Client']);
    expect((await api.call('POST', '/v1/nodes', '1.82', nested(24))).status).toBe(201);
    const text = { driver: 'fake-hardware', extra: { a: '[{"\\'.repeat(50) } };
    expect((await api.call('POST', '/v1/nodes', '1.82', text)).status).toBe(201);
  });

  it.each(['{', '[]', '"x"', 'null'])('refuses %s as the body of a creation', async (body) => {
    const answer = await api.call('POST', '/v1/nodes', '1.82', body);
    expect([answer.status, answer.fault.faultcode]).toEqual([400, 'Client']);
  });

  it('takes a creation whatever its Content-Type says', async () => {
    const answer = await api.call('POST', '/v1/nodes', '1.82', '{"driver":"fake-hardware"}', {
      'Content-Type': 'text/plain',
    });
    expect(answer.status).toBe(201);
  });
});

describe('what ferrolog adds', () => {
  it('is ready while bus and database are there, and names what is missing', async () => {
    expect((await api.get('/ferrolog/v1/ready')).body).toEqual({ ready: true, missing: [] });
    api.hub.interrupt();
    const answer = await api.get('/ferrolog/v1/ready');
    api.hub.restore();
    expect([answer.status, answer.body]).toEqual([503, { ready: false, missing: ['message bus'] }]);
  });

  it('answers 503 while the log can not be read, promising nothing of a command', async () => {
    const gone = () => Promise.reject(new LogUnavailable('connection refused'));
    const spies = [jest.spyOn(api.store.readModel, 'list'), jest.spyOn(api.store.readModel, 'get')];
    for (const spy of spies) spy.mockImplementation(gone);
    try {
      const read = await api.get('/v1/nodes', '1.82');
      expect([read.status, read.fault.faultstring]).toEqual([503, 'The log can not be read now. connection refused']);
      const write = await api.call('POST', '/v1/nodes', '1.82', { driver: 'fake-hardware' });
      expect([write.status, write.fault.faultstring]).toEqual([
        503,
        'The log can not be read now; whether the request was carried out is unknown. connection refused',
      ]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  it('answers the health check with an empty text', async () => {
    const response = await fetch(`${api.api.url}/healthcheck`);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/plain',
      '',
    ]);
  });

  it('writes one line for each request, without the query', async () => {
    await api.get('/v1/nodes?owner=hidden', '1.82');
    const line = api.logged.at(-1);
    expect(line?.fields).toMatchObject({ method: 'GET', path: '/v1/nodes', status: 200 });
    expect(JSON.stringify(line)).not.toContain('hidden');
  });
});

describe('links', () => {
  const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'front.example', 'X-Forwarded-Prefix': '/bm' };

  async function selfLink(section: string, name: string, text: string): Promise<string> {
    const other = await ApiHarness.start([{ section, name, text, source: 'spec' }]);
    try {
      return (await other.call('GET', '/', undefined, undefined, proxied)).body.default_version.links[0].href;
    } finally {
      await other.stop();
    }
  }

  it('come from the endpoint that is configured', async () => {
    expect(await selfLink('api', 'public_endpoint', 'https://bm.example/x/')).toBe('https://bm.example/x/v1/');
  });

  it('follow a proxy only when it is trusted', async () => {
    expect(await selfLink('api', 'max_limit', '10')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/$/);
    expect(await selfLink('oslo_middleware', 'enable_proxy_headers_parsing', 'true')).toBe(
      'https://front.example/bm/v1/',
    );
  });
});
