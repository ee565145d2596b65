import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { schemaIndex } from '@lib/adapters/event-log-batch';
import type { Clock, DocumentSchema } from '@lib/ports';
import { ClosingStack } from './closing-stack';
import { openWriter } from './connections';
import { makeLog } from './identity';
import { ReaderPool } from './reader-pool';
import { sqliteWriter } from './sqlite-writer';
import { storedLog, type StoredLog } from './stored-log';
import { takeWriterLock } from './writer-lock';

export interface SqliteLogOptions {
  /** The state folder, made when it is not there; the log and its lock live in it. */
  readonly home: string;
  readonly schemas: readonly DocumentSchema[];
  readonly clock: Pick<Clock, 'now'>;
  /** Reading connections of this process; default 2. */
  readonly readers?: number;
  /** How long a predecessor may take to let go of the lock; default 1000. */
  readonly lockWaitMs?: number;
  /** The log refuses to grow beyond this size; default unbounded. */
  readonly bytesMax?: number;
}

/** Where the log of a state folder is: what `openSqliteReader` of another process takes. */
export const sqlitePath = (home: string): string => join(home, 'ferrolog.sqlite');

/**
 * Opens the log as its one writer: takes the lock, makes or migrates the tables, asserts the settings. Rejects with one
 * sentence when another process writes it.
 */
export async function openSqliteLog(options: SqliteLogOptions): Promise<StoredLog> {
  const { home, clock, readers = 2, lockWaitMs = 1_000, bytesMax } = options;
  const path = sqlitePath(home);
  await mkdir(dirname(path), { recursive: true });
  const closing = new ClosingStack();
  try {
    const lock = await takeWriterLock(join(home, 'writer.lock'), lockWaitMs);
    closing.push(() => lock.release());
    const writer = await openWriter(path, bytesMax);
    closing.push(() => writer.close());
    const schemas = schemaIndex(options.schemas);
    await makeLog(writer.sql, schemas, clock.now());
    const reading = await ReaderPool.open(path, readers);
    closing.push(() => reading.close());
    return storedLog({ writer: sqliteWriter(writer), reading, schemas, clock, soleWriter: true }, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}
