import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callCommitListeners, schemaIndex, type CommitListener } from '@lib/adapters/event-log-batch';
import type { Clock, DocumentSchema, EffectLeases, EventLog, KeyStore, Liveness, ReadModel } from '@lib/ports';
import { openWriter, type Connection } from './connections';
import { makeDocumentTables } from './document-tables';
import { TypeormEventLog } from './event-log';
import { keyStoreOf } from './key-store';
import { leasesOf } from './leases';
import { livenessOf } from './liveness';
import { TypeormReadModel } from './read-model';
import { ReaderPool } from './reader-pool';
import { WriteQueue } from './write-queue';
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

export interface SqliteLog {
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly leases: EffectLeases;
  readonly liveness: Liveness;
  readonly keyStore: KeyStore;
  /** Commits what waits, then closes everything and frees the lock. */
  close(): Promise<void>;
}

/** Where the log of a state folder is: what `openSqliteReader` of another process takes. */
export const sqlitePath = (home: string): string => join(home, 'ferrolog.sqlite');

/**
 * Opens the log as its one writer: takes the lock, makes or migrates the tables, asserts the settings. Rejects with one
 * sentence when another process writes it.
 */
export async function openSqliteLog(options: SqliteLogOptions): Promise<SqliteLog> {
  const path = sqlitePath(options.home);
  await mkdir(dirname(path), { recursive: true });
  const undo = new ClosingStack();
  try {
    const lock = await takeWriterLock(join(options.home, 'writer.lock'), options.lockWaitMs ?? 1_000);
    undo.push(() => lock.release());
    const writer = await openWriter(path, options.bytesMax);
    undo.push(() => writer.close());
    return await assemble(options, path, writer, undo);
  } catch (error) {
    await undo.close();
    throw error;
  }
}

async function assemble(
  { schemas, clock, readers = 2 }: SqliteLogOptions,
  path: string,
  { sql }: Connection,
  undo: ClosingStack,
): Promise<SqliteLog> {
  const index = schemaIndex(schemas);
  await makeDocumentTables(sql, index);
  await sql.run('INSERT INTO log_identity (one, log_id, created_at) VALUES (1, ?, ?) ON CONFLICT (one) DO NOTHING', [
    randomUUID(),
    clock.now(),
  ]);
  const pool = await ReaderPool.open(path, readers);
  undo.push(() => pool.close());
  const listeners = new Set<CommitListener>();
  const queue = new WriteQueue({
    sql,
    schemas: index,
    clock,
    onCommit: (events) => callCommitListeners(listeners, events),
  });
  undo.push(() => queue.close());
  const close = () => undo.close();
  return {
    log: new TypeormEventLog(pool.query, queue, index, listeners, close),
    readModel: new TypeormReadModel(pool.query, index, async () => undefined),
    leases: leasesOf(queue),
    liveness: livenessOf(queue, pool.query),
    keyStore: keyStoreOf(queue, pool.query),
    close,
  };
}

/** Closes what was opened, last first, once. */
class ClosingStack {
  private steps: (() => Promise<void>)[] = [];
  private closing: Promise<void> = Promise.resolve();

  push(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  close(): Promise<void> {
    const steps = this.steps.reverse();
    this.steps = [];
    if (steps.length > 0) this.closing = steps.reduce((before, step) => before.then(step), Promise.resolve());
    return this.closing;
  }
}
