import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { SecureContextOptions } from 'node:tls';

export interface Seen {
  /** Which connection it came over, counted from 1. */
  readonly connection: number;
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on a free port that remembers what it was asked; as a proxy it forwards nothing and tunnels to anywhere. */
export interface Served {
  readonly host: string;
  readonly seen: Seen[];
  readonly tunnels: string[];
  readonly connections: Socket[];
  close(): Promise<void>;
}

export async function serve(
  handle: Handler = (_request, response) => void response.end('{}'),
  tls: SecureContextOptions | null = null,
  tunnel: 'open' | 'hang up' = 'open',
): Promise<Served> {
  const seen: Seen[] = [];
  const tunnels: string[] = [];
  const connections: Socket[] = [];
  const numbers = new WeakMap<Duplex, number>();
  const answer: Handler = (request, response) =>
    void text(request).then((body) => {
      const { method, url, headers, socket } = request;
      seen.push({ connection: numbers.get(socket) ?? 0, line: `${method} ${url}`, headers, body });
      handle(request, response);
    });
  const server: Server = tls ? createTlsServer(tls, answer) : createServer(answer);
  const raw = new Set<Socket>();
  server.on('connection', (socket: Socket) => raw.add(socket));
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    numbers.set(socket, connections.push(socket));
  });
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    tunnels.push(url);
    if (tunnel === 'hang up') return void socket.destroy();
    const onward = connect(Number(/\d+$/.exec(url)?.[0]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward]) raw.add(one.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    tunnels,
    connections,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of raw) socket.destroy();
      await closed;
    },
  };
}
