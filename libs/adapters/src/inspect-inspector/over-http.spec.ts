import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { InspectorReply, InspectorRequest, InspectorWord } from '@lib/contracts';
import { ManualClock } from '@lib/testing/manual-clock';
import { overHttp } from './index';
import type { HttpPeer } from './index';

const NODE = '6d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11';
const LIMIT_MS = 10_000;
const standing = new AbortController().signal;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const servers = new Map<Server, Set<Socket>>();

/** Listens on a free port until the test is over. */
async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  servers.set(server, sockets);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const [server, sockets] of servers) {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  }
  servers.clear();
});

const answering =
  (status: number, text: string): Handler =>
  (_request, response) =>
    void response.writeHead(status).end(text);

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function inspector(handle: Handler = answering(202, '{}'), peer: Partial<HttpPeer> = {}, suffix = '') {
  const seen: Seen[] = [];
  const url = await listening(
    createServer((request, response) => {
      void text(request).then((body) => {
        seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
        handle(request, response);
      });
    }),
  );
  return { url, seen, ...asker(`${url}${suffix}`, peer) };
}

function asker(endpoint: string, peer: Partial<HttpPeer> = {}) {
  const clock = new ManualClock('2026-03-01T10:00:00Z');
  const whole: HttpPeer = { endpoint, credentials: { kind: 'none' }, ca: null, verifyCertificate: true, ...peer };
  const transport = overHttp(whole, LIMIT_MS, clock);
  const ask = (word: InspectorWord, more: Partial<InspectorRequest> = {}, signal = standing): Promise<InspectorReply> =>
    transport.ask(word, { node: NODE, ...more }, signal);
  return { clock, ask };
}

const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'an answer',
    (error: Error) => error.message,
  );

describe('an inspector over HTTP', () => {
  it.each<[InspectorWord, Partial<InspectorRequest>, string]>([
    ['start', { manageBoot: true, attempt: 4 }, `POST /v1/introspection/${NODE}`],
    ['start', { manageBoot: false, attempt: 4 }, `POST /v1/introspection/${NODE}?manage_boot=False`],
    ['abort', {}, `POST /v1/introspection/${NODE}/abort`],
    ['status', {}, `GET /v1/introspection/${NODE}`],
    ['data', {}, `GET /v1/introspection/${NODE}/data`],
  ])('is asked to %s %j by %s', async (word, request, line) => {
    const { ask, seen } = await inspector();
    expect(await ask(word, request)).toEqual({ status: 202, body: {} });
    expect(seen.map((one) => one.line)).toEqual([line]);
    // No body, no version: without one the newest holds.
    expect(seen[0]?.headers).toMatchObject({ accept: 'application/json', connection: 'close' });
    expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => /version|authorization|token/.test(name))).toEqual([]);
    expect(seen[0]?.headers['content-length']).toBe(line.startsWith('POST') ? '0' : undefined);
  });

  it('is given posted data at the door of ramdisks', async () => {
    const { ask, seen } = await inspector();
    const data = { inventory: { hostname: 'ö' }, error: null };
    expect(await ask('continue', { data })).toEqual({ status: 202, body: {} });
    expect(seen).toMatchObject([{ line: 'POST /v1/continue', headers: { 'content-type': 'application/json' } }]);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(data);
  });

  it.each(['/', '/v1', '/v1/'])('may be named with %s at the end', async (suffix) => {
    const { ask, seen } = await inspector(undefined, {}, suffix);
    await ask('status');
    expect(seen[0]?.line).toBe(`GET /v1/introspection/${NODE}`);
  });

  it('may live below a path', async () => {
    const { ask, seen } = await inspector(undefined, {}, '/inspector');
    await ask('status');
    expect(seen[0]?.line).toBe(`GET /inspector/v1/introspection/${NODE}`);
  });

  it('is told who asks, in the way it wants', async () => {
    const basic = await inspector(undefined, {
      credentials: { kind: 'http_basic', username: 'ferrolog', password: 'p:w' },
    });
    await basic.ask('status');
    expect(basic.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ferrolog:p:w').toString('base64')}`);
    const token = await inspector(undefined, { credentials: { kind: 'token', token: 'abc' } });
    await token.ask('abort');
    expect(token.seen[0]?.headers['x-auth-token']).toBe('abc');
  });

  it('answers with a status and a body, whatever the status', async () => {
    const { ask } = await inspector(answering(404, '{"error": {"message": "Node was not found"}}'));
    expect(await ask('status')).toEqual({ status: 404, body: { error: { message: 'Node was not found' } } });
  });

  it.each<[string, Handler]>([
    ['a page of a proxy', answering(502, '<html>Bad Gateway</html>')],
    ['an empty body', answering(502, '')],
    ['half a body', answering(502, '{"error": {')],
  ])('leaves it to the status where %s came', async (_what, handle) => {
    const { ask } = await inspector(handle);
    expect(await ask('start')).toEqual({ status: 502, body: null });
  });

  it('is not followed to another place', async () => {
    const { ask, seen } = await inspector((_request, response) => {
      response.writeHead(301, { Location: '/v1/elsewhere' }).end('{}');
    });
    expect(await ask('status')).toMatchObject({ status: 301 });
    expect(seen).toHaveLength(1);
  });

  it('that is not there is named, without credentials', async () => {
    const server = createServer();
    const url = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    servers.delete(server);
    const reason = await reasonOf(asker(url.replace('//', '//user:secret@')).ask('start'));
    expect(reason).toMatch(`no inspector can be reached at ${url}: `);
    expect(reason).toContain('ECONNREFUSED');
    expect(reason).not.toContain('secret');
  });

  it('that takes too long is left, at the limit and not before', async () => {
    const arrived = jest.fn();
    const asked = new Promise<void>((resolve) => arrived.mockImplementation(() => resolve()));
    const { ask, clock } = await inspector(arrived);
    const reason = reasonOf(ask('abort'));
    await asked;
    await clock.advanceBy(LIMIT_MS - 1);
    expect(clock.pending()).toBe(1);
    await clock.advanceBy(1);
    expect(await reason).toBe('the inspector did not answer within 10 seconds');
    expect(clock.pending()).toBe(0);
  });

  it('that sends its answer drop by drop is left at the same limit', async () => {
    const begun = jest.fn();
    const answering = new Promise<void>((resolve) => begun.mockImplementation(() => resolve()));
    const { ask, clock } = await inspector((_request, response) => {
      response.writeHead(200).write('{"finished":');
      begun();
    });
    const reason = reasonOf(ask('status'));
    await answering;
    await clock.advanceBy(LIMIT_MS);
    expect(await reason).toBe('the inspector did not answer within 10 seconds');
  });

  it('that never says a word of TLS was not reached', async () => {
    const accepted = jest.fn();
    const connected = new Promise<void>((resolve) => accepted.mockImplementation(() => resolve()));
    const url = await listening(createTcpServer(() => accepted()));
    const { ask, clock } = asker(url.replace('http:', 'https:'));
    const reason = reasonOf(ask('status'));
    await connected;
    await clock.advanceBy(LIMIT_MS);
    expect(await reason).toMatch(/^the inspector at https:\S+ could not be reached within 10 seconds$/);
  });

  it('that hangs up half-way has broken its answer off', async () => {
    const { ask } = await inspector((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.socket?.destroy());
    });
    expect(await reasonOf(ask('data'))).toMatch(/^the inspector broke its answer off: /);
  });

  it('is let go when the call is given up, before it began and in the middle', async () => {
    const { ask, seen, clock } = await inspector((request) => request.socket.once('close', () => undefined));
    const before = new AbortController();
    before.abort();
    expect(await reasonOf(ask('start', {}, before.signal))).toBe('the call was given up');
    expect(seen).toHaveLength(0);
    const later = new AbortController();
    const reason = reasonOf(ask('start', {}, later.signal));
    later.abort();
    expect(await reason).toBe('the call was given up');
    expect(clock.pending()).toBe(0);
  });

  it('cannot fill the memory', async () => {
    const part = Buffer.alloc(1024 * 1024, 'a');
    const { ask } = await inspector((_request, response) => {
      const more = (): void => void response.write(part, (error) => (error ? undefined : more()));
      more();
    });
    expect(await reasonOf(ask('data'))).toBe('the inspector answered with more than an answer may hold');
  });
});
