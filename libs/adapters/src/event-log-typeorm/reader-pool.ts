import { LogUnavailable } from '@lib/ports';
import { openReader, type Connection } from './connections';
import { sqlite } from './dialect';
import { asUnavailable, type Query, type Reading } from './sql';

/** A few reading connections to a SQLite file. Each statement is a read transaction of its own: none is kept across pages. */
export class ReaderPool implements Reading {
  readonly dialect = sqlite;
  private next = 0;
  private closed = false;

  private constructor(private readonly connections: readonly Connection[]) {}

  static async open(path: string, size: number): Promise<ReaderPool> {
    const opened = await Promise.allSettled(Array.from({ length: size }, () => openReader(path)));
    const connections = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = opened.find((one) => one.status === 'rejected');
    if (failed === undefined) return new ReaderPool(connections);
    await Promise.all(connections.map((connection) => connection.close()));
    throw failed.reason;
  }

  /** Rejects with LogUnavailable when the database cannot be read. */
  readonly query: Query = async (text, values) => {
    const connection = this.connections[this.next++ % this.connections.length];
    if (connection === undefined || this.closed) throw new LogUnavailable('the log is closed');
    try {
      return await connection.sql.query(text, values);
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}
