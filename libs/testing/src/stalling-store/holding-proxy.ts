import type { Socket } from 'node:net';
import { COMMIT, DatabaseProxy } from '../postgres';

/** Where a transaction is held: its COMMIT on the way to the server, or the server's answer on the way back. */
export type Held = 'commit' | 'answer';

/** Lets one transaction come to a standstill in its COMMIT. */
export class HoldingProxy extends DatabaseProxy {
  private wanted: { readonly held: Held; readonly marker: string; readonly reached: () => void } | null = null;

  static open(url: string): Promise<HoldingProxy> {
    return new HoldingProxy(url).listen();
  }

  /** Holds the next transaction whose statements carry the marker; resolves when it has come to its COMMIT. */
  hold(held: Held, marker: string): Promise<void> {
    return new Promise((reached) => (this.wanted = { held, marker, reached }));
  }

  protected join(client: Socket, server: Socket): void {
    let isMarked = false;
    let held: Held | null = null;
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
