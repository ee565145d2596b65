import { connect, createServer, type Server, type Socket } from 'node:net';

/** As a whole statement on the wire: the level READ COMMITTED, with which a transaction begins, is none. */
export const COMMIT = 'COMMIT\0';

/** Stands between services and PostgreSQL; what it does with their bytes is up to its kind. */
export abstract class DatabaseProxy {
  private readonly server: Server = createServer();
  private readonly sockets = new Set<Socket>();
  private readonly target: URL;

  protected constructor(private readonly databaseUrl: string) {
    this.target = new URL(databaseUrl);
  }

  /** The database's address through the proxy. */
  get url(): string {
    const address = this.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return this.databaseUrl.replace(`:${this.target.port}/`, `:${port}/`);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  protected async listen(): Promise<this> {
    this.server.on('connection', (client) =>
      this.pair(client, connect(Number(this.target.port), this.target.hostname)),
    );
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Passes the bytes of one connection on, or does not. */
  protected abstract join(client: Socket, server: Socket): void;

  /** A connection ends on both sides together. */
  private pair(client: Socket, server: Socket): void {
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
    this.join(client, server);
  }
}
