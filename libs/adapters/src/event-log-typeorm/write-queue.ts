import { setTimeout as pause } from 'node:timers/promises';
import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import { LogUnavailable } from '@lib/ports';
import type { AppendResult, Clock, RecordedEvent } from '@lib/ports';
import { commitAppends, NotEmpty, type PackedAppend } from './commit-appends';
import { hasEvent } from './events-table';
import { asUnavailable, DatabaseFailure, type Sql } from './sql';
import { CommitInDoubt, NoTransaction, type Writer } from './writer';

/** Work of another room on the writing connection: part of a batch's transaction, small. */
type Work = (sql: Sql) => Promise<unknown>;

interface Waiting {
  readonly job: PackedAppend | Work;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** What a batch comes to if it is committed. */
interface Outcome {
  readonly results: readonly unknown[];
  readonly events: readonly RecordedEvent[];
}

export interface WriteQueueOptions {
  readonly writer: Writer;
  readonly schemas: SchemaIndex;
  readonly clock: Pick<Clock, 'now'>;
  readonly onCommit: (events: readonly RecordedEvent[]) => void;
  /** How long a commit without an answer is looked for; default 60 s. */
  readonly doubtMs?: number;
}

const BATCH_MAX = 500;
const WAITING_MAX = 20_000;
const DOUBT_LOOK_MS = 250;

/**
 * The one way to the writing connection: serial, and what waits is committed as one transaction. Everything asked in
 * one turn of the event loop goes together.
 */
export class WriteQueue {
  private waiting: Waiting[] = [];
  private running: Promise<void> | null = null;
  private closed = false;
  private inDoubt = false;

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
    if (this.inDoubt) return Promise.reject(new LogUnavailable('the connection to the log was lost'));
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
   * A violation (somebody else wrote beside this queue), a bug or a document that remains concerns one member: the
   * halves find out which. A database that fails concerns all, and one that cannot be reached all that wait.
   */
  private async commit(batch: readonly Waiting[]): Promise<void> {
    let outcome: Outcome = { results: [], events: [] };
    try {
      await this.options.writer.transaction(async (sql) => {
        outcome = await this.write(batch, sql);
      });
    } catch (error) {
      if (error instanceof CommitInDoubt) return this.settle(batch, outcome, error);
      if (error instanceof NoTransaction) return rejectAll([...batch, ...this.waiting.splice(0)], error);
      if (batch.length > 1 && concernsOne(error)) {
        const half = Math.ceil(batch.length / 2);
        await this.commit(batch.slice(0, half));
        return this.commit(batch.slice(half));
      }
      if (error instanceof NotEmpty) return batch[0]?.resolve({ ok: false, conflict: error.conflict });
      return rejectAll(batch, asUnavailable(error));
    }
    this.succeed(batch, outcome);
  }

  private async write(batch: readonly Waiting[], sql: Sql): Promise<Outcome> {
    const { schemas, clock } = this.options;
    const appends = batch.flatMap(({ job }) => (typeof job === 'function' ? [] : [job]));
    const appended = appends.length > 0 ? await commitAppends(sql, appends, schemas, clock.now()) : [];
    const results: unknown[] = [];
    const next = appended.values();
    for (const { job } of batch) results.push(typeof job === 'function' ? await job(sql) : next.next().value);
    return { results, events: appended.flatMap((result) => (result.ok ? result.events : [])) };
  }

  private succeed(batch: readonly Waiting[], { results, events }: Outcome): void {
    this.options.onCommit(events);
    batch.forEach(({ resolve }, i) => resolve(results[i]));
  }

  /**
   * Accepted or not, never both: the members wait until the log itself tells whether their events are in it; what
   * comes meanwhile is refused. A batch without events is lost without harm (leases, heartbeats) and not looked for.
   */
  private async settle(batch: readonly Waiting[], outcome: Outcome, doubt: CommitInDoubt): Promise<void> {
    this.inDoubt = true;
    rejectAll(this.waiting.splice(0), new LogUnavailable(doubt.message));
    const stored = await this.lookFor(outcome.events[0]);
    this.inDoubt = false;
    if (stored === true) return this.succeed(batch, outcome);
    rejectAll(batch, new LogUnavailable(doubt.message, stored === null));
  }

  /** Null when it cannot be learned. The look is a transaction: it waits for the broken one to end. */
  private async lookFor(event: RecordedEvent | undefined): Promise<boolean | null> {
    const { writer, doubtMs = 60_000 } = this.options;
    if (event === undefined) return null;
    for (let waitedMs = 0; waitedMs <= doubtMs && !this.closed; waitedMs += DOUBT_LOOK_MS) {
      try {
        return await writer.transaction((sql) => hasEvent(sql, event));
      } catch {
        await pause(DOUBT_LOOK_MS);
      }
    }
    return null;
  }
}

function rejectAll(members: readonly Waiting[], reason: unknown): void {
  for (const { reject } of members) reject(reason);
}

const concernsOne = (error: unknown): boolean => !(error instanceof DatabaseFailure) || error.violation;
