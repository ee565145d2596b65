import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { outgoingHttp } from '.';

const call = { headers: {}, proxy: null, timeoutMs: 5000 };
const never = new AbortController().signal;

async function listening<S extends Server | TcpServer>(server: S): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('an outgoing GET', () => {
  const seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    seen.push({ method, url, headers });
    if (url === '/silent') return;
    response.writeHead(Number(/\d+$/.exec(url ?? '')?.[0] ?? 200));
    // More than is ever read.
    response.end('x'.repeat(200_000));
  });
  /** Plays a proxy: what asks for a tunnel is led to the server, whatever the name. */
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    tunnels.push(`${url} ${headers['proxy-authorization'] ?? 'nobody'}`);
    if (url.startsWith('closed')) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const onward = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward]) sockets.add(one.on('error', () => undefined));
  });
  let host: string;

  beforeAll(async () => (host = await listening(server)));
  beforeEach(() => void (seen.length = tunnels.length = 0));
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const get = (rest: object) => outgoingHttp().get({ ...call, url: `http://${host}/`, ...rest }, never);

  it.each([200, 204, 404, 503])('tells the status %i, whatever else comes', async (status) => {
    expect(await get({ url: `http://${host}/${status}`, headers: { 'x-a': 'b' } })).toBe(status);
    expect(seen).toMatchObject([{ method: 'GET', url: `/${status}`, headers: { host, 'x-a': 'b' } }]);
  });

  it('names the reason when there is no answer', async () => {
    const closed = createTcpServer();
    const nobody = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    await expect(get({ url: `http://${nobody}/` })).rejects.toThrow('ECONNREFUSED');
  });

  it('waits no longer than it may', async () => {
    await expect(get({ url: `http://${host}/silent`, timeoutMs: 50 })).rejects.toThrow('no answer within 0.05 seconds');
  });

  it('ends when it is cut off', async () => {
    const cut = new AbortController();
    const answer = outgoingHttp().get({ ...call, url: `http://${host}/silent` }, cut.signal);
    cut.abort();
    await expect(answer).rejects.toThrow();
  });

  it('goes through a proxy, with its login', async () => {
    const url = 'http://cmdb.example/node/204';
    expect(await get({ url, proxy: `http://me:se%40cret@${host}` })).toBe(204);
    const login = `Basic ${Buffer.from('me:se@cret').toString('base64')}`;
    expect(seen).toMatchObject([{ url, headers: { host: 'cmdb.example', 'proxy-authorization': login } }]);
  });

  it('asks a proxy for a tunnel to an https address, and speaks TLS in it', async () => {
    // The server at its end speaks none: the handshake fails, which shows that it was begun.
    await expect(get({ url: 'https://cmdb.example/', proxy: `http://${host}` })).rejects.toThrow(
      /SSL|EPROTO|ECONNRESET/,
    );
    expect(tunnels).toEqual(['cmdb.example:443 nobody']);
    await expect(get({ url: 'https://closed.example/', proxy: `http://${host}` })).rejects.toThrow('answered 403');
  });
});
