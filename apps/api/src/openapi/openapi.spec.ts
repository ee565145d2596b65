/** The description of the API: served, complete, and nothing beyond what is served. */
import { minOf, openApiDocument, operations, type OpenApiDocument } from '@lib/contracts/openapi';
import { endpointGates, MINOR_MAX } from '@lib/contracts';
import { routes } from '../server/routes';
import { ApiHarness } from '../spec/api-harness';

const described = operations.map(({ method, path }) => ({ method, path }));
const below = (path: string): string => path.replace(/^\/v1\//, '');
const same = (path: string): string => path.replace('{name}@{component}', '{indicator}').replace(/\{\w+\}/g, '{}');

describe('what is described', () => {
  it('is every route of /v1, and no other', () => {
    const inDocument = described.filter(({ path }) => path.startsWith('/v1/'));
    expect(inDocument.map(({ method, path }) => `${method} ${below(path)}`).sort()).toEqual(routes.served().sort());
  });

  it('begins with the first version that is served it', () => {
    for (const { method, path, min, below: refusal } of endpointGates) {
      const operation = operations.find((one) => one.method === method && same(one.path) === same(path));
      if (operation) expect([method, path, minOf(operation)]).toEqual([method, path, refusal === null ? 1 : min]);
    }
    expect(minOf({ method: 'GET', path: '/v1/nodes/{ident}/management/indicators' })).toBe(1);
  });

  it('comes with its path where it has no gate of its own', () => {
    expect(minOf({ method: 'GET', path: '/v1/portgroups/{ident}/ports/detail' })).toBe(24);
    expect(minOf({ method: 'DELETE', path: '/v1/inspection_rules' })).toBe(96);
    expect(minOf({ method: 'GET', path: '/v1/drivers/properties' })).toBe(1);
  });
});

describe('GET /openapi.json', () => {
  let harness: ApiHarness;
  beforeAll(async () => {
    harness = await ApiHarness.start();
  });
  afterAll(() => harness.stop());

  const document = async (search = ''): Promise<OpenApiDocument> => {
    const answer = await harness.call('GET', `/openapi.json${search}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    return answer.body as OpenApiDocument;
  };

  it('describes the newest version, or the one that is asked for, whatever the headers say', async () => {
    expect(await document()).toEqual(JSON.parse(JSON.stringify(openApiDocument(MINOR_MAX))));
    expect((await document('?version=latest')).info['version']).toBe(`1.${MINOR_MAX}`);
    const old = await harness.call('GET', '/openapi.json?version=1.31', '1.999');
    expect(old.body.info.version).toBe('1.31');
    expect(Object.keys(old.body.paths)).not.toContain('/v1/volume');
    expect(Object.keys((await document('?version=1.32')).paths)).toContain('/v1/volume');
  });

  it('describes what conditions and keys may bring', () => {
    const responses = (path: string, method: string) =>
      Object.keys(openApiDocument(MINOR_MAX).paths[path]?.[method]?.['responses'] as object);
    expect(responses('/v1/nodes/{ident}', 'get')).toEqual(expect.arrayContaining(['304', '412']));
    expect(responses('/v1/nodes/{ident}', 'get')).not.toContain('422');
    expect(responses('/v1/nodes/{ident}', 'patch')).toEqual(expect.arrayContaining(['412', '422']));
    expect(responses('/v1/nodes/{ident}', 'delete')).toContain('412');
    expect(responses('/v1/nodes', 'get')).not.toContain('412');
  });

  it('describes BIOS settings and firmware field by field', () => {
    const items = (minor: number, part: string) =>
      JSON.stringify(openApiDocument(minor).paths[`/v1/nodes/{ident}/${part}`]?.['get']?.['responses']);
    expect(items(73, 'bios')).toContain('"created_at"');
    expect(items(73, 'bios')).not.toContain('"lower_bound"');
    expect(items(74, 'bios')).toContain('"lower_bound"');
    expect(items(113, 'firmware')).not.toContain('"serial_number"');
    expect(items(114, 'firmware')).toContain('"serial_number"');
  });

  it('describes what ramdisks hand over as inspectors did at 1.1, and then from 1.84 on', () => {
    const handedOver = (minor: number) => openApiDocument(minor).paths['/v1/continue_inspection']?.['post'];
    expect([1, 2, 83, 84].map((minor) => handedOver(minor) !== undefined)).toEqual([true, false, false, true]);
    expect(JSON.stringify(handedOver(1))).not.toContain('node_uuid');
    expect(JSON.stringify(handedOver(84))).toContain('node_uuid');
  });

  it.each([
    ['?version=1.116', 406],
    ['?version=1.0', 406],
    ['?version=2.1', 406],
    ['?version=', 400],
    ['?version=new', 400],
    ['?version=1.1&version=1.2', 400],
    ['?versions=1.1', 400],
  ])('%s is %i in the fault shape', async (search, status) => {
    const { status: got, fault } = await harness.call('GET', `/openapi.json${search}`);
    expect([got, fault]).toEqual([
      status,
      { faultcode: 'Client', faultstring: expect.stringContaining('version'), debuginfo: null },
    ]);
  });

  it('is read only, and has request ids as every answer', async () => {
    const head = await harness.call('HEAD', '/openapi.json');
    expect([head.status, head.text, head.headers.get('openstack-request-id')]).toEqual([
      200,
      '',
      head.headers.get('x-openstack-request-id'),
    ]);
    expect((await harness.call('PUT', '/openapi.json', undefined, {})).status).toBe(405);
  });

  const ours = operations.filter(({ path }) => !path.startsWith('/v1/'));

  it.each(ours.filter(({ body }) => body !== undefined))(
    'describes $method $path, which misses its body',
    async ({ method, path }) => {
      const { status } = await harness.call(method, path.replace('{ident}', await harness.node()), '1.115');
      expect(status).toBe(400);
    },
  );

  it.each(ours.filter(({ body }) => body === undefined))(
    'describes $method $path, which is there',
    async ({ method, path }) => {
      const there = path
        .replace('{service}', 'api')
        .replace('{ident}', await harness.node())
        .replace('{id}', '7');
      const { status, text } = await harness.call(method, there, '1.115');
      expect([status, method === 'HEAD' || text.includes('no refused data 7')]).toEqual(
        // The conductor of this harness accepts whatever it is sent.
        path.includes('{id}') ? [404, true] : [method === 'POST' ? 202 : 200, method === 'HEAD'],
      );
    },
  );
});
