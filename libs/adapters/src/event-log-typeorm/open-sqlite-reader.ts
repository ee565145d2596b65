import { setTimeout as pause } from 'node:timers/promises';
import { schemaIndex, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { DocumentSchema, EventReader, Liveness, ReadModel } from '@lib/ports';
import { missingDocumentPart } from './document-tables';
import { TypeormEventReader } from './event-reader';
import { readConductors } from './liveness';
import { TypeormReadModel } from './read-model';
import { ReaderPool } from './reader-pool';

export interface SqliteReaderOptions {
  readonly path: string;
  readonly schemas: readonly DocumentSchema[];
  /** How long the writer may take to make the log. */
  readonly waitMs: number;
  /** Reading connections; default 2. */
  readonly readers?: number;
}

export interface SqliteReader {
  readonly reader: EventReader;
  readonly readModel: ReadModel;
  readonly liveness: Pick<Liveness, 'conductors'>;
  close(): Promise<void>;
}

const POLL_MS = 50;

/**
 * Opens a log that another process writes, for reading only; waits until the writer has made it. Rejects with one
 * sentence when it is still not there after `waitMs`.
 */
export async function openSqliteReader({
  path,
  schemas,
  waitMs,
  readers = 2,
}: SqliteReaderOptions): Promise<SqliteReader> {
  const index = schemaIndex(schemas);
  const pool = await waitForPool(path, index, readers, waitMs);
  const close = () => pool.close();
  return {
    reader: new TypeormEventReader(pool.query),
    readModel: new TypeormReadModel(pool.query, index, close),
    liveness: { conductors: () => readConductors(pool.query) },
    close,
  };
}

async function waitForPool(path: string, index: SchemaIndex, readers: number, waitMs: number): Promise<ReaderPool> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      return await openReady(path, index, readers);
    } catch (error) {
      if (waitedMs >= waitMs) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`The event log ${path} cannot be read (${why}); is the conductor running?`, { cause: error });
      }
      await pause(POLL_MS);
    }
  }
}

async function openReady(path: string, index: SchemaIndex, readers: number): Promise<ReaderPool> {
  const pool = await ReaderPool.open(path, readers);
  try {
    const [identity] = await pool.query('SELECT log_id FROM log_identity');
    const missing = await missingDocumentPart(pool.query, index);
    if (identity === undefined) throw new Error('it is still being made');
    if (missing !== null) throw new Error(`it has no ${missing}, written by another release`);
    return pool;
  } catch (error) {
    await pool.close();
    throw error;
  }
}
