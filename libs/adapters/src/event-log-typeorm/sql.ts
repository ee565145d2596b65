import { LogUnavailable } from '@lib/ports';
import { QueryFailedError, type QueryRunner } from 'typeorm';

export type SqlValue = string | number | Buffer | null;
export type SqlRow = Record<string, unknown>;

/** One connection as the rooms of this adapter use it: text with `?` for each value. */
export interface Sql {
  query(text: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
  /** Answers the number of rows that an INSERT, UPDATE or DELETE touched. */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
}

export function sqlOf(runner: QueryRunner): Sql {
  return {
    query: async (text, values = []) => (await runner.query(text, [...values])) as SqlRow[],
    run: async (text, values = []) => (await runner.query(text, [...values], true)).affected ?? 0,
  };
}

/** `(?, ?), (?, ?)` for so many rows of so many values. */
export function rowsOfMarks(rows: number, width: number): string {
  const row = `(${marks(width)})`;
  return Array.from({ length: rows }, () => row).join(', ');
}

export const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** Measured: larger INSERTs gain nothing. */
const ROWS_PER_WRITE = 100;

/** Multi-row INSERTs of rows that all have the same width; `suffix` says what happens on conflict. */
export async function writeRows(sql: Sql, insert: string, rows: readonly SqlValue[][], suffix = ''): Promise<void> {
  for (const chunk of chunks(rows, ROWS_PER_WRITE)) {
    await sql.run(`${insert} VALUES ${rowsOfMarks(chunk.length, chunk[0]?.length ?? 0)} ${suffix}`, chunk.flat());
  }
}

/** Deletes the rows that have these values in these columns. */
export async function deleteRows(
  sql: Sql,
  table: string,
  columns: string[],
  rows: readonly SqlValue[][],
): Promise<void> {
  for (const chunk of chunks(rows, ROWS_PER_WRITE)) {
    const values = rowsOfMarks(chunk.length, columns.length);
    await sql.run(`DELETE FROM ${table} WHERE (${columns.join(', ')}) IN (VALUES ${values})`, chunk.flat());
  }
}

/** What the database says is an unavailable log for its callers; anything else is a bug and keeps its stack. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof LogUnavailable) return error;
  const named =
    error instanceof Error && /^(ConnectionIsNotSet|ConnectionNotFound|QueryRunnerAlreadyReleased)/.test(error.name);
  if (error instanceof QueryFailedError || named) return new LogUnavailable(`the log's database: ${error.message}`);
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && code.startsWith('SQLITE_')) {
    return new LogUnavailable(`the log's database: ${(error as Error).message}`);
  }
  return error;
}
