import { createServer, connect, type Server, type Socket } from 'node:net';

/**
 * When the connection is cut: `before` the COMMIT is handed on, so that the server rolls back; `after` the server has
 * answered it, so that the transaction is stored and nobody was told.
 */
export type Cut = 'before' | 'after';

/** As a whole statement on the wire: the level READ COMMITTED is none. */
const COMMIT = 'COMMIT\0';

/** Stands between a client and the server, and cuts connections at their COMMIT when told to. */
export class CuttingProxy {
  private cut: Cut | null = null;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The database's address through the proxy. */
    readonly url: string,
  ) {}

  static async open(url: string): Promise<CuttingProxy> {
    const target = new URL(url);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const proxy = new CuttingProxy(server, url.replace(`:${target.port}/`, `:${port}/`));
    server.on('connection', (client) => proxy.join(client, connect(Number(target.port), target.hostname)));
    return proxy;
  }

  /** The next COMMIT through any connection is cut. */
  cutNext(cut: Cut): void {
    this.cut = cut;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, server: Socket): void {
    let silent = false;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      const cut = chunk.includes(COMMIT) ? this.cut : null;
      if (cut !== null) this.cut = null;
      if (cut === 'before') return void client.destroy();
      silent ||= cut === 'after';
      server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => (silent ? client.destroy() : client.write(chunk)));
  }
}
