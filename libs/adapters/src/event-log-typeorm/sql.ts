import { LogUnavailable } from '@lib/ports';
import type { Dialect } from './dialect';

export type SqlValue = string | number | Buffer | null;
export type SqlRow = Record<string, unknown>;

/** What the reading rooms need of a database. Rejects with LogUnavailable or DatabaseFailure. */
export type Query = (text: string, values?: readonly SqlValue[]) => Promise<SqlRow[]>;

export interface Reading {
  readonly query: Query;
  readonly dialect: Dialect;
}

/** One connection as the rooms of this adapter use it: text with `?` for each value. Rejects with DatabaseFailure. */
export interface Sql extends Reading {
  /** Answers the number of rows that an INSERT, UPDATE or DELETE touched. */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
}

/** The database said no, or nothing any more. */
export class DatabaseFailure extends Error {
  constructor(
    message: string,
    /** The database's own code; empty when the connection broke. */
    readonly code: string,
    /** One row was refused; the database is well. */
    readonly violation: boolean,
    cause: unknown,
  ) {
    super(message, { cause });
    this.name = 'DatabaseFailure';
  }
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
    const wanted = sql.dialect.rowsIn(rowsOfMarks(chunk.length, columns.length));
    await sql.run(`DELETE FROM ${table} WHERE (${columns.join(', ')}) IN ${wanted}`, chunk.flat());
  }
}

/** What the database says is an unavailable log for its callers; anything else is a bug and keeps its stack. */
export const asUnavailable = (error: unknown): unknown =>
  error instanceof DatabaseFailure ? new LogUnavailable(`the log's database: ${error.message}`) : error;
