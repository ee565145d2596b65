import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as sqlite3 from 'sqlite3';
import { DataSource, type QueryRunner } from 'typeorm';
import { sqliteMigrations } from './migrations';
import type { Sql } from './sql';
import { sqliteSql } from './sqlite-sql';

export interface Connection {
  readonly sql: Sql;
  close(): Promise<void>;
}

const BUSY_TIMEOUT_MS = 5_000;
const WAL_BYTES_KEPT = 64 * 1024 * 1024;
/** Older ones may corrupt a WAL that two connections checkpoint (fixed in 3.51.3). */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;

/**
 * TypeORM switches the driver to its verbose mode, in which every call takes a stack trace and the text of its values along: a
 * sixth of the conductor's time, and secrets in the words of an error.
 */
const driver: unknown = Object.create(sqlite3, { verbose: { value: () => sqlite3 } });

/**
 * The writing connection, with the tables made. `bytesMax` bounds the file: a full log then refuses to write, as on a
 * full disk. Every setting is read back, since SQLite ignores what it cannot do.
 */
export async function openWriter(path: string, bytesMax?: number): Promise<Connection> {
  return connect(
    new DataSource({ type: 'sqlite', driver, database: path, enableWAL: true, migrations: sqliteMigrations }),
    async (sql, runner) => {
      await assertVersion(sql);
      await assertSetting(sql, 'journal_mode', 'wal');
      await set(sql, 'synchronous', 2);
      await set(sql, 'busy_timeout', BUSY_TIMEOUT_MS);
      await set(sql, 'journal_size_limit', WAL_BYTES_KEPT);
      // A destroyed key leaves no bytes behind in the file.
      await set(sql, 'secure_delete', 1);
      await runner.connection.runMigrations({ transaction: 'all' });
      if (bytesMax !== undefined) await boundSize(sql, bytesMax);
    },
  );
}

/** A connection that can only read; the file must be there. */
export async function openReader(path: string): Promise<Connection> {
  if (!existsSync(path)) throw new Error(`there is no event log at ${path}`);
  return connect(
    new DataSource({ type: 'sqlite', driver, database: path, flags: sqlite3.OPEN_READWRITE }),
    async (sql) => {
      await assertVersion(sql);
      await set(sql, 'busy_timeout', BUSY_TIMEOUT_MS);
      await set(sql, 'query_only', 1);
    },
  ).catch(blocked(path));
}

/** SQLite notes beside the file which parts of it are in use, so that who reads writes there too. */
const blocked =
  (path: string) =>
  (error: unknown): never => {
    if ((error as { code?: unknown }).code !== 'SQLITE_CANTOPEN') throw error;
    throw new Error(`the files beside it cannot be made or opened: may this user write to ${dirname(path)}?`, {
      cause: error,
    });
  };

async function connect(
  source: DataSource,
  prepare: (sql: Sql, runner: QueryRunner) => Promise<void>,
): Promise<Connection> {
  await source.initialize();
  const runner = source.createQueryRunner();
  const sql = sqliteSql((await runner.connect()) as sqlite3.Database);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= sql.finalize().then(() => source.destroy()));
  try {
    await prepare(sql, runner);
  } catch (error) {
    await close();
    throw error;
  }
  return { sql, close };
}

async function set(sql: Sql, setting: string, value: number): Promise<void> {
  await sql.query(`PRAGMA ${setting} = ${value}`);
  await assertSetting(sql, setting, value);
}

async function assertSetting(sql: Sql, setting: string, value: number | string): Promise<void> {
  const actual = await readSetting(sql, setting);
  if (actual !== value) throw new Error(`SQLite keeps ${setting} = ${actual} where the log needs ${value}`);
}

/** A PRAGMA as the connection has it now. */
export async function readSetting(sql: Sql, setting: string): Promise<unknown> {
  const [row] = await sql.query(`PRAGMA ${setting}`);
  return Object.values(row ?? {})[0];
}

async function boundSize(sql: Sql, bytesMax: number): Promise<void> {
  const pageBytes = Number(await readSetting(sql, 'page_size'));
  await sql.query(`PRAGMA max_page_count = ${Math.max(1, Math.floor(bytesMax / pageBytes))}`);
}

async function assertVersion(sql: Sql): Promise<void> {
  const [row] = await sql.query('SELECT sqlite_version() AS version');
  const version = String(row?.version);
  const parts = version.split('.').map(Number);
  const differs = SQLITE_VERSION_MIN.findIndex((least, i) => parts[i] !== least);
  if (differs >= 0 && (parts[differs] ?? 0) < (SQLITE_VERSION_MIN[differs] ?? 0)) {
    throw new Error(`SQLite ${version} is older than ${SQLITE_VERSION_MIN.join('.')}, which the log needs`);
  }
}
