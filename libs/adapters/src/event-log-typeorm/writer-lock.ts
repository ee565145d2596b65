import { Database } from 'sqlite3';

export interface WriterLock {
  release(): Promise<void>;
}

/**
 * Takes the one writer's place at a log. The lock is SQLite's own on a tiny database kept open: the kernel frees it with
 * the process, also after kill -9, so that no stale file can keep a restarted writer out. Rejects with one sentence when
 * another writer holds it still after `waitMs`.
 */
export async function takeWriterLock(path: string, waitMs: number): Promise<WriterLock> {
  const database = await open(path);
  try {
    await exec(database, `PRAGMA busy_timeout = ${waitMs}`);
    await exec(database, 'BEGIN EXCLUSIVE');
  } catch (error) {
    await close(database);
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw new Error(
      `Another process writes this log (it holds ${path}); stop it first, or choose another FERROLOG_HOME.`,
      { cause: error },
    );
  }
  return { release: () => close(database) };
}

const open = (path: string) =>
  new Promise<Database>((resolve, reject) => {
    const database = new Database(path, (error) => (error ? reject(error) : resolve(database)));
  });

const exec = (database: Database, sql: string) =>
  new Promise<void>((resolve, reject) => database.exec(sql, (error) => (error ? reject(error) : resolve())));

const close = (database: Database) =>
  new Promise<void>((resolve, reject) => database.close((error) => (error ? reject(error) : resolve())));
