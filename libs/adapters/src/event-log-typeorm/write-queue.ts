import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import { LogUnavailable } from '@lib/ports';
import type { AppendResult, Clock, RecordedEvent } from '@lib/ports';
import { commitAppends, type PackedAppend } from './commit-appends';
import { sqlite } from './dialect';
import { asUnavailable, type Sql } from './sql';

/** Work of another room on the writing connection: part of a batch's transaction, small. */
type Work = (sql: Sql) => Promise<unknown>;

interface Waiting {
  readonly job: PackedAppend | Work;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

export interface WriteQueueOptions {
  readonly sql: Sql;
  readonly schemas: SchemaIndex;
  readonly clock: Pick<Clock, 'now'>;
  readonly onCommit: (events: readonly RecordedEvent[]) => void;
}

const BATCH_MAX = 500;
const WAITING_MAX = 20_000;

/**
 * The one way to the writing connection: serial, and what waits is committed as one transaction. Everything asked in
 * one turn of the event loop goes together.
 */
export class WriteQueue {
  private waiting: Waiting[] = [];
  private running: Promise<void> | null = null;
  private closed = false;

  constructor(private readonly options: WriteQueueOptions) {}

  append(append: PackedAppend): Promise<AppendResult> {
    return this.enqueue(append) as Promise<AppendResult>;
  }

  work<T>(run: (sql: Sql) => Promise<T>): Promise<T> {
    return this.enqueue(run) as Promise<T>;
  }

  /** Takes nothing more; resolves when what waits is committed. */
  async close(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  private enqueue(job: PackedAppend | Work): Promise<unknown> {
    if (this.closed) return Promise.reject(new LogUnavailable('the log is closed'));
    if (this.waiting.length >= WAITING_MAX) return Promise.reject(new LogUnavailable('too many writes are waiting'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, resolve, reject });
      this.running ??= this.drain();
    });
  }

  private async drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) await this.commit(this.waiting.splice(0, BATCH_MAX));
    this.running = null;
  }

  /**
   * A violation (somebody else wrote beside this queue) or a bug concerns one member: the halves find out which. A
   * database that fails concerns all.
   */
  private async commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.transaction(batch);
      batch.forEach(({ resolve }, i) => resolve(results[i]));
    } catch (error) {
      if (batch.length > 1 && concernsOne(error)) {
        const half = Math.ceil(batch.length / 2);
        await this.commit(batch.slice(0, half));
        await this.commit(batch.slice(half));
        return;
      }
      for (const { reject } of batch) reject(asUnavailable(error));
    }
  }

  private async transaction(batch: readonly Waiting[]): Promise<unknown[]> {
    const { sql, schemas, clock, onCommit } = this.options;
    const appends = batch.flatMap(({ job }) => (typeof job === 'function' ? [] : [job]));
    try {
      await sql.query(sqlite.begin);
      const appended = appends.length > 0 ? await commitAppends(sql, appends, schemas, clock.now()) : [];
      const results: unknown[] = [];
      const next = appended.values();
      for (const { job } of batch) results.push(typeof job === 'function' ? await job(sql) : next.next().value);
      await sql.query('COMMIT');
      onCommit(appended.flatMap((result) => (result.ok ? result.events : [])));
      return results;
    } catch (error) {
      await rollback(sql);
      throw error;
    }
  }
}

const concernsOne = (error: unknown): boolean =>
  sqlite.isViolation(error) || !(asUnavailable(error) instanceof LogUnavailable);

/** SQLite may have ended the transaction itself (disk full); then there is none to roll back. */
async function rollback(sql: Sql): Promise<void> {
  try {
    await sql.query('ROLLBACK');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}
