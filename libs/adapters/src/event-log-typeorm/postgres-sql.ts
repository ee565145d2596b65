import type { DataSource } from 'typeorm';
import type { ClientBase, QueryResult } from 'pg';
import { LogUnavailable } from '@lib/ports';
import { postgres } from './dialect';
import { asUnavailable, DatabaseFailure, type Reading, type Sql, type SqlRow, type SqlValue } from './sql';

/** Texts that come again, those of few rows, are parsed once a connection. */
const TEXT_NAMED_MAX = 2_000;
const NAMES_MAX = 200;
const setUp = /^(BEGIN|COMMIT|ROLLBACK|CREATE|ALTER|SHOW|SET|SELECT pg_)/;

/** Statements on one connection of the driver. */
export function postgresSql(client: ClientBase): Sql {
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    if (text.length > TEXT_NAMED_MAX || setUp.test(text)) return undefined;
    const known = names.get(text);
    if (known !== undefined || names.size >= NAMES_MAX) return known;
    const name = `ferrolog_${names.size}`;
    names.set(text, name);
    return name;
  }

  async function send(text: string, values: readonly SqlValue[]): Promise<QueryResult<SqlRow>> {
    try {
      return await client.query({ name: nameOf(text), text: numbered(text), values: values.map(storable) });
    } catch (error) {
      throw failure(error);
    }
  }

  return {
    dialect: postgres,
    query: async (text, values = []) => (await send(text, values)).rows,
    run: async (text, values = []) => (await send(text, values)).rowCount ?? 0,
  };
}

/** Reads from a pool: each statement on any free connection, a read transaction of its own. */
export class PostgresReading implements Reading {
  readonly dialect = postgres;
  private closing: Promise<void> | undefined;

  constructor(private readonly source: DataSource) {}

  /** Rejects with LogUnavailable when the database cannot be read. */
  readonly query = async (text: string, values: readonly SqlValue[] = []): Promise<SqlRow[]> => {
    if (this.closing !== undefined) throw new LogUnavailable('the log is closed');
    try {
      return await this.source.query<SqlRow[]>(numbered(text), values.map(storable));
    } catch (error) {
      throw asUnavailable(failure(error));
    }
  };

  close(): Promise<void> {
    return (this.closing ??= this.source.destroy());
  }
}

/** `?` as PostgreSQL counts them. No text of this adapter has a `?` that is not a mark. */
function numbered(text: string): string {
  let count = 0;
  return text.replace(/\?/g, () => `$${++count}`);
}

/** PostgreSQL's text cannot hold the character 0, which JSON writes as an escape: only columns and keys could have it. */
const storable = (value: SqlValue): SqlValue => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);

/** An error of the driver: with a code of the server's, or without one when the connection broke. */
export function failure(error: unknown): DatabaseFailure {
  const { message, code, severity } = error as { message?: string; code?: unknown; severity?: unknown };
  const ofServer = typeof severity === 'string' ? String(code) : '';
  return new DatabaseFailure(message || String(code ?? error), ofServer, postgres.isViolation(ofServer), error);
}

/** Whether the connection is of no more use: broken, or ended by the server (classes 08 and 57, and 25P03). */
export const isLost = ({ code }: DatabaseFailure): boolean => code === '' || /^(08|57P0|25P03)/.test(code);
