import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where a transaction is held: its COMMIT on the way to the server, or the server's answer on the way back. */
export type Held = 'commit' | 'answer';

/** As a whole statement on the wire: the level READ COMMITTED, with which a transaction begins, is none. */
const COMMIT = 'COMMIT\0';

/** Stands between services and PostgreSQL, and lets one transaction come to a standstill in its COMMIT. */
export class HoldingProxy {
  private wanted: { readonly held: Held; readonly marker: string; readonly reached: () => void } | null = null;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The database's address through the proxy. */
    readonly url: string,
  ) {}

  static async open(url: string): Promise<HoldingProxy> {
    const target = new URL(url);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const proxy = new HoldingProxy(server, url.replace(`:${target.port}/`, `:${port}/`));
    server.on('connection', (client) => proxy.join(client, connect(Number(target.port), target.hostname)));
    return proxy;
  }

  /** Holds the next transaction whose statements carry the marker; resolves when it has come to its COMMIT. */
  hold(held: Held, marker: string): Promise<void> {
    return new Promise((reached) => (this.wanted = { held, marker, reached }));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, server: Socket): void {
    let isMarked = false;
    let held: Held | null = null;
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
      if (this.wanted !== null && chunk.includes(this.wanted.marker)) isMarked = true;
      if (isMarked && this.wanted !== null && chunk.includes(COMMIT)) {
        held = this.wanted.held;
        const { reached } = this.wanted;
        this.wanted = null;
        // The server's own answer says that it has committed.
        if (held === 'commit') reached();
        else server.once('data', () => reached());
      }
      if (held !== 'commit') server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => {
      if (held === null) client.write(chunk);
    });
  }
}
