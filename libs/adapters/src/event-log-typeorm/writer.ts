import { LogUnavailable } from '@lib/ports';
import { DatabaseFailure, type Sql } from './sql';

/** The one writing connection of a process. */
export interface Writer {
  /**
   * Runs the work as one transaction that excludes every other writer of the log; nothing of it is stored when this
   * rejects, but for CommitInDoubt. NoTransaction: the work was not even begun.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The database cannot be reached, or somebody keeps it from being written: true for all that waits. */
export class NoTransaction extends LogUnavailable {}

/** The connection broke while the database committed: it may have. */
export class CommitInDoubt extends Error {
  constructor(cause: DatabaseFailure) {
    super(`the connection was lost in a commit: ${cause.message}`, { cause });
    this.name = 'CommitInDoubt';
  }
}

/** False when that was not possible: a failed database may have ended the transaction itself, or the connection. */
export async function rollBack(sql: Sql): Promise<boolean> {
  try {
    await sql.query('ROLLBACK');
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error;
    return false;
  }
}
