import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'sqlite3';
import { openPostgresLog, openSqliteLog, sqlitePath } from '@lib/adapters/event-log-typeorm';
import type { StoredLog } from '@lib/adapters/event-log-typeorm';
import { documentSchemas } from '@lib/contracts';
import type { ScratchPostgres } from '@lib/testing/postgres';
import type { Appended } from './history';

/** A store that holds a history, and somebody who may do to its tables what no service would. */
export interface Store {
  open(): Promise<StoredLog>;
  /** Statements with the guards of the events taken away. */
  damage(...statements: readonly string[]): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

export type SqliteStore = Store & { readonly home: string };

/** Writes the appends of a history as they were written, at their times. */
export async function write(appended: readonly Appended[], open: (clock: { now(): number }) => Promise<StoredLog>) {
  let now = 0;
  const stored = await open({ now: () => now });
  for (const { append, at } of appended) {
    now = at;
    // Claims of effects are the workers' and not in the log.
    const { fences: _claims, ...rest } = append;
    const result = await stored.log.append(rest);
    if (!result.ok) throw new Error(`not appended: ${JSON.stringify(result.conflict)}`);
  }
  await stored.close();
}

const schemas = documentSchemas;
const readers = 1;
const newHome = () => mkdtemp(join(tmpdir(), 'ferrolog-derived-'));

/** Stores with one history in SQLite; each is a copy of the first. */
export async function sqliteStores(
  appended: readonly Appended[],
): Promise<{ next(): Promise<SqliteStore>; end(): Promise<void> }> {
  const first = await newHome();
  await write(appended, (clock) => openSqliteLog({ home: first, schemas, clock, readers }));
  return {
    next: async () => {
      const home = await newHome();
      await cp(first, home, { recursive: true });
      return sqliteStore(home);
    },
    end: () => rm(first, { recursive: true }),
  };
}

export const sqliteStore = (home: string): SqliteStore => ({
  home,
  open: () => openSqliteLog({ home, schemas, clock: { now: () => 0 }, readers }),
  damage: async (...statements) => {
    const guards = ['events_no_update', 'events_no_delete', 'events_append_only'];
    for (const text of [...guards.map((name) => `DROP TRIGGER IF EXISTS ${name}`), ...statements]) {
      await inFile(sqlitePath(home), text);
    }
  },
  query: (text) => inFile(sqlitePath(home), text),
  remove: () => rm(home, { recursive: true }),
});

export const inFile = (path: string, text: string) =>
  new Promise<Record<string, unknown>[]>((resolve, reject) => {
    const database = new Database(path);
    database.all<Record<string, unknown>>(text, (failed, rows) =>
      database.close((error) => ((failed ?? error) ? reject(failed ?? error) : resolve(rows))),
    );
  });

/** A store with the history in a PostgreSQL of its own schema. */
export async function postgresStore(
  server: ScratchPostgres,
  appended: readonly Appended[],
): Promise<Store & { readonly url: string }> {
  const url = await server.createSchema();
  await write(appended, (clock) => openPostgresLog({ url, schemas, clock, readers }));
  const query = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = await server.connect(url);
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    url,
    open: () => openPostgresLog({ url, schemas, clock: { now: () => 0 }, readers }),
    damage: async (...statements) => {
      for (const text of ['ALTER TABLE events DISABLE TRIGGER USER', ...statements]) await query(text);
    },
    query,
    remove: async () => undefined,
  };
}
