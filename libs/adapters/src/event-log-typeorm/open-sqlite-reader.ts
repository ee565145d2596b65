import { schemaIndex, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { DocumentSchema } from '@lib/ports';
import { assertMade } from './identity';
import { ReaderPool } from './reader-pool';
import { storedLogReader, type StoredLogReader } from './stored-log';
import { waitFor } from './wait-for';

export interface SqliteReaderOptions {
  readonly path: string;
  readonly schemas: readonly DocumentSchema[];
  /** How long the writer may take to make the log. */
  readonly waitMs: number;
  /** Told once, with a sentence, when the writer is waited for. */
  readonly onWait?: ((sentence: string) => void) | undefined;
  /** Reading connections; default 2. */
  readonly readers?: number;
}

/**
 * Opens a log that another process writes, for reading only; waits until the writer has made it. Rejects with one
 * sentence when it is still not there after `waitMs`.
 */
export async function openSqliteReader(options: SqliteReaderOptions): Promise<StoredLogReader> {
  const { path, waitMs, readers = 2 } = options;
  const schemas = schemaIndex(options.schemas);
  const pool = await waitFor(
    () => openReady(path, schemas, readers),
    waitMs,
    (why) => `The event log ${path} cannot be read (${why}); is the conductor running?`,
    options.onWait,
  );
  return storedLogReader(pool, schemas, () => pool.close());
}

async function openReady(path: string, schemas: SchemaIndex, readers: number): Promise<ReaderPool> {
  const pool = await ReaderPool.open(path, readers);
  try {
    await assertMade(pool, schemas);
    return pool;
  } catch (error) {
    await pool.close();
    throw error;
  }
}
