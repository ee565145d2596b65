/** What clients send that is no request: each gets a 4xx in the contract's shape, soon, and nothing is stored. */
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ApiHarness } from './api-harness';

let harness: ApiHarness;
beforeAll(async () => void (harness = await ApiHarness.start()));
afterAll(() => harness.stop());

/** What the server answers to these bytes, until it closes the connection. */
function exchange(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(harness.api.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
  });
}

/** The same over `distant-client.cjs`; fails where the connection is reset. */
function fromAfar(bytes: string): Promise<string> {
  const script = join(__dirname, 'distant-client.cjs');
  return new Promise((resolve, reject) => {
    const args = [script, new URL(harness.api.url).port];
    const child = execFile(process.execPath, args, (error, stdout, stderr) =>
      error ? reject(new Error(stderr)) : resolve(stdout),
    );
    child.stdin?.end(bytes);
  });
}

const head = (lines: readonly string[]): string =>
  [...lines, 'X-OpenStack-Ironic-API-Version: 1.115', 'Connection: close', '', ''].join('\r\n');

function expectRouterFault(answer: string, status: number): void {
  const [headers = '', body = ''] = answer.split('\r\n\r\n');
  expect(headers).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(headers).toMatch(/^x-openstack-request-id: req-[0-9a-f-]{36}$/im);
  expect(headers).not.toMatch(/ironic-api/i);
  const outer = JSON.parse(body) as { error_message: string };
  expect(JSON.parse(outer.error_message)).toEqual({
    code: status,
    title: expect.any(String),
    description: expect.stringMatching(/./),
  });
}

describe('bytes that are no HTTP', () => {
  it.each([
    ['a blank in the path', head(['GET /v1/nodes/a b HTTP/1.1', 'Host: x'])],
    ['bytes beyond ASCII in the path', head(['GET /v1/nodes/é HTTP/1.1', 'Host: x'])],
    ['an unknown method', head(['FOO /v1/nodes HTTP/1.1', 'Host: x'])],
    ['a length that is no number', head(['POST /v1/nodes HTTP/1.1', 'Host: x', 'Content-Length: abc'])],
    ['a negative length', head(['POST /v1/nodes HTTP/1.1', 'Host: x', 'Content-Length: -1'])],
    ['no protocol at all', 'hello\r\n\r\n'],
    [
      'a chunk that has no length',
      `${head(['POST /v1/nodes HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked'])}zz\r\n`,
    ],
  ])('%s: 400', async (_what, bytes) => expectRouterFault(await exchange(bytes), 400));

  it.each([
    ['path', head([`GET /v1/nodes/${'x'.repeat(70_000)} HTTP/1.1`, 'Host: x'])],
    ['header', head(['GET /v1/nodes HTTP/1.1', 'Host: x', `X-Long: ${'y'.repeat(70_000)}`])],
  ])('a %s beyond all measure: 431', async (_what, bytes) => expectRouterFault(await exchange(bytes), 431));
});

describe('what is refused before it is read leaves the client its answer', () => {
  const MIB = 1024 * 1024;
  const post = (path: string, ...lines: string[]) =>
    `${head([`POST ${path} HTTP/1.1`, 'Host: x', ...lines, `Content-Length: ${3 * MIB}`])}${'z'.repeat(3 * MIB)}`;

  it.each([
    ['a body of no type', post('/v1/nodes', 'Content-Type: '), 400],
    ['a body of a type that cannot be read', post('/v1/nodes', 'Content-Type: application/;x'), 400],
    ['a body behind a path that cannot be decoded', post('/v1/nodes/%zz'), 400],
    ['headers of 3 MiB', head(['GET /v1/nodes HTTP/1.1', 'Host: x', `X-Long: ${'y'.repeat(3 * MIB)}`]), 431],
    [
      'a tunnel through which much is sent',
      `${head(['CONNECT x:443 HTTP/1.1', 'Host: x'])}${'z'.repeat(3 * MIB)}`,
      405,
    ],
    ['no HTTP, and much of it', `hello\r\n\r\n${'z'.repeat(3 * MIB)}`, 400],
  ])('%s', async (_what, bytes, status) => expectRouterFault(await fromAfar(bytes), status));
});

it('a tunnel is refused, with an answer', async () => {
  expectRouterFault(await exchange(head(['CONNECT api.example:443 HTTP/1.1', 'Host: x'])), 405);
});

it('an answer to HEAD has no body, even when its request could not be read', async () => {
  const answer = await exchange(head(['HEAD /v1/nodes HTTP/1.1', 'Host: x', `X-Long: ${'y'.repeat(70_000)}`]));
  expect(answer).toMatch(/^HTTP\/1.1 431 [^]*\r\n\r\n$/);
});

it.each(['', '<x>', 'a b', 'x"y', 'evil.example/path', 'user@evil.example', '[::', 'x:123456', ':80'])(
  'the Host "%s", of which no link can be made: 400',
  async (host) => expectRouterFault(await exchange(head(['GET /v1/nodes HTTP/1.1', `Host: ${host}`])), 400),
);

it.each(['x', 'api.example:6385', '127.0.0.1:1', '[::1]:80', 'under_score'])('the Host "%s" is taken', async (host) => {
  expect(await exchange(head(['GET /v1/nodes HTTP/1.1', `Host: ${host}`]))).toMatch(/^HTTP\/1.1 200 /);
});

it('who goes away in the middle of a body is no error of ours', async () => {
  const { hostname, port } = new URL(harness.api.url);
  const lines = ['POST /v1/nodes HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 500'];
  const before = harness.logged.length;
  const socket = connect(Number(port), hostname, () => socket.write(`${head(lines)}{"driver":`));
  await new Promise((resolve) => socket.once('connect', resolve));
  // The next answer on a connection of its own says that what came first was read.
  await harness.get('/v1', '1.1');
  socket.destroy();
  const told = () => harness.logged.slice(before).filter(({ fields }) => fields['path'] === '/v1/nodes');
  while (told().length === 0) await harness.get('/v1', '1.1');
  expect(told().map(({ fields, message }) => [message, fields['status']])).toEqual([['request', 400]]);
});

describe('HTTP that is odd', () => {
  it.each([
    ['no Host', head(['GET /v1/nodes HTTP/1.1'])],
    ['an expectation that nobody knows', head(['GET /v1/nodes HTTP/1.1', 'Host: x', 'Expect: miracles'])],
  ])('%s is served', async (_what, bytes) => expect(await exchange(bytes)).toMatch(/^HTTP\/1.1 200 /));

  it('refuses a body of a terabyte before it is sent', async () => {
    const lines = ['POST /v1/nodes HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    const answer = await exchange(head([...lines, 'Content-Length: 999999999999']));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      faultcode: 'Client',
      faultstring: expect.stringContaining('larger'),
    });
  });

  it.each(['GET', 'DELETE', 'TRACE'])('reads the body of %s, and holds it to the limit', async (method) => {
    const lines = [`${method} /v1/nodes/x HTTP/1.1`, 'Host: x', 'Content-Type: application/json'];
    const send = (length: number) =>
      exchange(`${head([...lines, `Content-Length: ${length}`])}"${'x'.repeat(length - 2)}"`);
    expect(await send(3 * 1024 * 1024)).toMatch(/^HTTP\/1.1 413 [^]*larger/);
    expect(await send(1024 * 1024)).toMatch(/^HTTP\/1.1 40[45] [^]*error_message/);
  });

  it('refuses a body that has no length once it is too large', async () => {
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const lines = [
      'POST /v1/nodes HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    expect(await exchange(`${head(lines)}${piece.repeat(20)}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('arguments of which more than one is wrong', () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => void unhandled.push(reason);
  beforeAll(() => void process.on('unhandledRejection', listen));
  afterAll(() => void process.off('unhandledRejection', listen));

  it.each([
    'ports?portgroup=nowhere&description_contains=a&description_contains=b',
    'portgroups?node=nowhere&node=elsewhere',
    'volume/connectors?node=nowhere&node=elsewhere',
    'allocations?node=nowhere&owner=a&owner=b',
  ])("%s is refused for one of them, and the other is nobody's business", async (path) => {
    const { status } = await harness.get(`/v1/${path}`, '1.115');
    expect([400, 404]).toContain(status);
    // A refusal that nobody waits for shows once the event loop has turned.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });
});

describe('bodies that could only be stored as something else', () => {
  const create = (body: Buffer): Promise<string> => {
    const lines = ['POST /v1/nodes HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    return exchange(Buffer.concat([Buffer.from(head([...lines, `Content-Length: ${body.length}`])), body]));
  };
  const node = (extra: string | Buffer): Buffer =>
    Buffer.concat([Buffer.from('{"driver":"fake-hardware","extra":'), Buffer.from(extra), Buffer.from('}')]);

  it.each([
    ['a number beyond the largest', node('{"a":1e400}'), 'too large'],
    ['its negative in a list', node('{"a":[{"b":-1E+999}]}'), 'too large'],
    ['four hundred digits', node(`{"a":${'9'.repeat(400)}}`), 'too large'],
    ['bytes that are no UTF-8', node(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 'UTF-8'],
    ['half a character', node(Buffer.from([0x7b, 0x22, 0xe2, 0x82, 0x22, 0x3a, 0x31, 0x7d])), 'UTF-8'],
  ])('%s: 400', async (_what, body, text) => {
    const before = (await harness.get('/v1/nodes', '1.115')).body.nodes.length as number;
    const answer = await create(body);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain(text);
    expect((await harness.get('/v1/nodes', '1.115')).body.nodes).toHaveLength(before);
  });

  it.each(['{"a":1e308}', '{"a":"1e400"}', '{"a":1e-400}', `{"a":"${'9'.repeat(400)}"}`, '{"a":"\\u0000\\ud800"}'])(
    'not so %s',
    async (extra) => expect(await create(node(extra))).toMatch(/^HTTP\/1.1 201 /),
  );

  it.each(['description', 'owner', 'shard', 'resource_class', 'instance_name', 'lessee'])(
    'NUL and half a surrogate pair in %s: 400',
    async (field) => {
      const uuid = await harness.node();
      for (const value of ['a\0b', '\ud800', 'x\udfff']) {
        const patch = [{ op: 'add', path: `/${field}`, value }];
        const answer = await harness.call('PATCH', `/v1/nodes/${uuid}`, '1.115', patch);
        expect([answer.status, answer.fault?.faultstring]).toEqual([400, expect.stringContaining(field)]);
      }
    },
  );

  it('NUL in an argument of the query: 400', async () => {
    expect((await harness.get('/v1/nodes?owner=%00', '1.115')).status).toBe(400);
  });
});

describe('documents that patches build', () => {
  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

  it('never nest deeper than a body may', async () => {
    const uuid = await harness.node({ extra: {} });
    const patch = (path: string, value: object) =>
      harness.call('PATCH', `/v1/nodes/${uuid}`, '1.115', [{ op: 'add', path, value }]);
    expect((await patch('/extra/a', nested(20))).status).toBe(200);
    expect((await patch(`/extra${'/a'.repeat(20)}`, nested(4))).status).toBe(200);
    const answer = await patch(`/extra${'/a'.repeat(20)}`, nested(5));
    expect([answer.status, answer.fault?.faultstring]).toEqual([400, expect.stringContaining('25 levels')]);
  });
});
