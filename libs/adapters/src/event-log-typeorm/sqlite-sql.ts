import type { Database, RunResult, Statement } from 'sqlite3';
import { sqlite } from './dialect';
import { DatabaseFailure, type Sql, type SqlRow } from './sql';

export interface SqliteSql extends Sql {
  /** Ends the statements kept: the database cannot be closed before. */
  finalize(): Promise<void>;
}

/** Texts that come again: those of few rows. Larger ones differ in their number of rows nearly every time. */
const TEXT_KEPT_MAX = 2_000;
const STATEMENTS_KEPT_MAX = 100;
const setUp = /^(PRAGMA|CREATE|ALTER)/;

/** Statements straight on the driver's connection, the frequent ones prepared once: half of the cost of a small one. */
export function sqliteSql(database: Database): SqliteSql {
  const kept = new Map<string, Promise<Statement>>();

  const prepare = (text: string) =>
    new Promise<Statement>((resolve, reject) => {
      const statement = database.prepare(text, (error) => (error ? reject(failure(error)) : resolve(statement)));
    });

  /** The longest unused one goes first: what comes with every batch stays, however many others come between. */
  function keptFor(text: string): Promise<Statement> {
    const known = kept.get(text);
    if (known === undefined) return keep(text);
    kept.delete(text);
    kept.set(text, known);
    return known;
  }

  function keep(text: string): Promise<Statement> {
    const [oldest] = kept;
    if (oldest !== undefined && kept.size >= STATEMENTS_KEPT_MAX) {
      kept.delete(oldest[0]);
      void oldest[1].then(finalized);
    }
    const statement = prepare(text);
    kept.set(text, statement);
    statement.catch(() => kept.delete(text));
    return statement;
  }

  async function prepared<T>(text: string, use: (statement: Statement) => Promise<T>): Promise<T> {
    if (text.length <= TEXT_KEPT_MAX && !setUp.test(text)) return use(await keptFor(text));
    const statement = await prepare(text);
    try {
      return await use(statement);
    } finally {
      await finalized(statement);
    }
  }

  return {
    dialect: sqlite,
    query: (text, values = []) =>
      prepared(
        text,
        (statement) =>
          new Promise<SqlRow[]>((resolve, reject) =>
            statement.all(values, (error, rows) => (error ? reject(failure(error)) : resolve(rows as SqlRow[]))),
          ),
      ),
    run: (text, values = []) =>
      prepared(
        text,
        (statement) =>
          new Promise<number>((resolve, reject) =>
            statement.run(values, function (this: RunResult, error) {
              if (error) reject(failure(error));
              else resolve(this.changes);
            }),
          ),
      ),
    finalize: async () => {
      const statements = [...kept.values()];
      kept.clear();
      await Promise.allSettled(statements.map(async (statement) => finalized(await statement)));
    },
  };
}

/** A statement that failed says so again when it ends; that was answered already. */
const finalized = (statement: Statement) => new Promise<void>((resolve) => statement.finalize(() => resolve()));

function failure(error: Error): DatabaseFailure {
  const code = String((error as { code?: unknown }).code ?? '');
  return new DatabaseFailure(error.message, code, sqlite.isViolation(code), error);
}
