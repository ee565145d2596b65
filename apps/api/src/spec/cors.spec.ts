import { ApiHarness } from './api-harness';

const CONSOLE = 'https://console.example';
const allowing = (text: string) =>
  ApiHarness.start([{ section: 'cors', name: 'allowed_origin', text, source: 'spec' }]);
const from = (origin: string, rest: Record<string, string> = {}) => ({ Origin: origin, ...rest });
const question = { 'Access-Control-Request-Method': 'PATCH', 'Access-Control-Request-Headers': 'x-auth-token' };

describe('with an origin that is allowed', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await allowing(`${CONSOLE}, http://localhost:8080`);
  });
  afterAll(() => api.stop());

  it('a page of it may send what this API takes and read what it says', async () => {
    const { status, headers, text } = await api.call(
      'OPTIONS',
      '/v1/nodes',
      undefined,
      undefined,
      from(CONSOLE, question),
    );
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('access-control-allow-origin')).toBe(CONSOLE);
    expect(headers.get('access-control-allow-methods')).toBe('GET, PUT, POST, DELETE, PATCH');
    for (const name of [
      'X-Auth-Token',
      'X-OpenStack-Ironic-API-Version',
      'OpenStack-API-Version',
      'If-Match',
      'Idempotency-Key',
      'X-Ferrolog-Reason',
    ])
      expect(headers.get('access-control-allow-headers')).toContain(name);
    expect(headers.get('access-control-max-age')).toBe('3600');
    expect(headers.get('vary')).toBe('Origin');
  });

  it.each([
    ['GET', '/v1/nodes', 200],
    ['GET', '/v1/nodes/none', 404],
    ['GET', '/nowhere', 404],
    ['POST', '/v1/nodes', 400],
  ])('%s %s can be read by it, and by no other', async (method, path, status) => {
    const asked = async (origin: string) => {
      const seen = await api.call(method, path, '1.50', method === 'POST' ? {} : undefined, from(origin));
      return [seen.status, seen.headers.get('access-control-allow-origin'), seen.headers.get('vary')];
    };
    expect(await asked(CONSOLE)).toEqual([status, CONSOLE, 'Origin']);
    expect(await asked('https://evil.example')).toEqual([status, null, 'Origin']);
    expect(await asked('null')).toEqual([status, null, 'Origin']);
  });

  it('the three version headers, the request ids, ETag and Location are exposed', async () => {
    const { headers } = await api.call('GET', '/v1/nodes', undefined, undefined, from(CONSOLE));
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['X-OpenStack-Ironic-API-Maximum-Version', 'ETag', 'Location']));
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('what is no question, or of another origin, is answered as without', async () => {
    for (const headers of [from(CONSOLE), from('https://evil.example', question), question] as Record<
      string,
      string
    >[]) {
      const seen = await api.call('OPTIONS', '/v1/nodes', undefined, undefined, headers);
      expect([seen.status, seen.text, seen.headers.get('access-control-allow-methods')]).toEqual([200, '', null]);
    }
  });
});

it('all origins are let in by *', async () => {
  const api = await allowing('*');
  try {
    const { headers } = await api.call('GET', '/v1/nodes', undefined, undefined, from('https://any.example'));
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual(['*', null]);
  } finally {
    await api.stop();
  }
});

it('nothing of it is there unless it is set', async () => {
  const api = await ApiHarness.start();
  try {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await api.call(method, '/v1/nodes', undefined, undefined, from(CONSOLE, question));
      expect([...headers.keys()].filter((name) => name.startsWith('access-control') || name === 'vary')).toEqual([]);
    }
  } finally {
    await api.stop();
  }
});
