import type { Socket } from 'node:net';
import { COMMIT, DatabaseProxy } from './database-proxy';

/**
 * When the connection is cut: `before` the COMMIT is handed on, so that the server rolls back; `after` the server has
 * answered it, so that the transaction is stored and nobody was told.
 */
export type Cut = 'before' | 'after';

/** Cuts connections at their COMMIT when told to. */
export class CuttingProxy extends DatabaseProxy {
  private cut: Cut | null = null;

  static open(url: string): Promise<CuttingProxy> {
    return new CuttingProxy(url).listen();
  }

  /** The next COMMIT through any connection is cut. */
  cutNext(cut: Cut): void {
    this.cut = cut;
  }

  protected join(client: Socket, server: Socket): void {
    let silent = false;
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
