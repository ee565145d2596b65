import type { ClientBase } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { APPEND_LOCK } from './advisory-locks';
import { failure, isLost, postgresSql } from './postgres-sql';
import { DatabaseFailure, type Sql } from './sql';
import { CommitInDoubt, NoTransaction, rollBack, type Writer } from './writer';

interface Connected {
  readonly sql: Sql;
  /** The connection is closed, whatever it is doing; the next transaction takes a new one. */
  drop(): Promise<void>;
}

/**
 * A transaction begins with the lock that every writer of the log takes: the order of positions is that of commits. Stricter
 * levels, which a server may have as its default, would look at the log as it was before the wait for that lock.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${APPEND_LOCK})`;

export class PostgresWriter implements Writer {
  private connected: Connected | null = null;
  private closing: Promise<void> | undefined;

  constructor(private readonly source: DataSource) {}

  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const connection = await this.begin();
    const { sql } = connection;
    let result: T;
    try {
      result = await work(sql);
    } catch (error) {
      if (error instanceof DatabaseFailure && isLost(error)) await this.drop(connection);
      else await this.rollBack(connection);
      throw error;
    }
    await this.commit(connection);
    return result;
  }

  close(): Promise<void> {
    return (this.closing ??= this.source.destroy());
  }

  private async begin(): Promise<Connected> {
    let connection: Connected | null = null;
    try {
      connection = this.connected ??= await connect(this.source);
      await connection.sql.query(BEGIN);
      return connection;
    } catch (error) {
      const why = error instanceof DatabaseFailure ? error : failure(error);
      if (connection !== null) await (isLost(why) ? this.drop(connection) : this.rollBack(connection));
      throw new NoTransaction(`the log's database: ${why.message}`);
    }
  }

  /** A server that refuses to commit has rolled back; one that does not answer may have done either. */
  private async commit(connection: Connected): Promise<void> {
    try {
      await connection.sql.query('COMMIT');
    } catch (error) {
      const why = error instanceof DatabaseFailure ? error : failure(error);
      await this.drop(connection);
      throw isLost(why) ? new CommitInDoubt(why) : why;
    }
  }

  private async rollBack(connection: Connected): Promise<void> {
    if (!(await rollBack(connection.sql))) await this.drop(connection);
  }

  private async drop(connection: Connected): Promise<void> {
    this.connected = null;
    await connection.drop();
  }
}

async function connect(source: DataSource): Promise<Connected> {
  const runner: QueryRunner = source.createQueryRunner();
  const client = (await runner.connect()) as ClientBase & { end(): Promise<void> };
  return {
    sql: postgresSql(client),
    drop: async () => {
      // The pool does not take back what is ending. A client in the middle of a statement closes its socket at once.
      void client.end().catch(() => undefined);
      await runner.release();
    },
  };
}
