import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Database } from 'sqlite3';
import type { DocumentChanges, DocumentShelf } from '@lib/usecases/simulated-inspector';

/** Shape of the documents. A file of another shape is not guessed at. */
const SHAPE = 1;

export interface StateFile extends DocumentShelf {
  /** As the file had them when it was opened. */
  readonly documents: ReadonlyMap<string, unknown>;
  close(): Promise<void>;
}

interface Row {
  readonly name: string;
  readonly document: string;
}

const open = (path: string) =>
  new Promise<Database>((resolve, reject) => {
    const database = new Database(path, (error) => (error ? reject(error) : resolve(database)));
  });

const exec = (database: Database, sql: string) =>
  new Promise<void>((resolve, reject) => database.exec(sql, (error) => (error ? reject(error) : resolve())));

const run = (database: Database, sql: string, values: readonly string[]) =>
  new Promise<void>((resolve, reject) =>
    database.run(sql, [...values], (error: Error | null) => (error ? reject(error) : resolve())),
  );

const all = <T>(database: Database, sql: string) =>
  new Promise<T[]>((resolve, reject) =>
    database.all(sql, (error: Error | null, rows: unknown[]) => (error ? reject(error) : resolve(rows as T[]))),
  );

const close = (database: Database) =>
  new Promise<void>((resolve, reject) => database.close((error) => (error ? reject(error) : resolve())));

/** The kernel gives the file free with the process, also after kill -9: no stale lock keeps the next one out. */
async function takeForItself(database: Database, path: string): Promise<void> {
  try {
    await exec(database, 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    await exec(
      database,
      'BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS documents (name TEXT PRIMARY KEY, document TEXT);',
    );
    const [{ user_version: shape } = { user_version: 0 }] = await all<{ user_version: number }>(
      database,
      'PRAGMA user_version',
    );
    if (shape !== 0 && shape !== SHAPE) {
      throw new Error(
        `${path} was written by another release of the inspector-simulator (shape ${shape}, not ${SHAPE})`,
      );
    }
    await exec(database, `PRAGMA user_version = ${SHAPE}; COMMIT;`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    const sentence = `Another inspector-simulator holds ${path}; stop it first, or choose another [simulator] state_file.`;
    throw new Error(sentence, { cause: error });
  }
}

/**
 * An SQLite file with one JSON document per node, and one for the rules. Rejects with a sentence when another process holds
 * it, or when it is of another shape.
 */
export async function openStateFile(path: string): Promise<StateFile> {
  await mkdir(dirname(path), { recursive: true });
  const database = await open(path);
  try {
    await takeForItself(database, path);
    const rows = await all<Row>(database, 'SELECT name, document FROM documents ORDER BY name');
    const documents = new Map(rows.map(({ name, document }) => [name, JSON.parse(document) as unknown]));
    return { documents, save: (changes) => save(database, changes), close: () => close(database) };
  } catch (error) {
    await close(database);
    throw error;
  }
}

/** One transaction; whoever calls waits for one save before the next. */
async function save(database: Database, changes: DocumentChanges): Promise<void> {
  await exec(database, 'BEGIN IMMEDIATE');
  try {
    for (const [name, document] of changes) {
      if (document === null) await run(database, 'DELETE FROM documents WHERE name = ?', [name]);
      else {
        const values = [name, JSON.stringify(document)];
        await run(
          database,
          'INSERT INTO documents VALUES (?, ?) ON CONFLICT DO UPDATE SET document = excluded.document',
          values,
        );
      }
    }
    await exec(database, 'COMMIT');
  } catch (error) {
    await exec(database, 'ROLLBACK').catch(() => undefined);
    throw error;
  }
}
