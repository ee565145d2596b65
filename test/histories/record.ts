import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresLog, openSqliteLog, sqlitePath, type StoredLog } from '@lib/adapters/event-log-typeorm';
import { documentSchemas as schemas } from '@lib/contracts';
import { postgresFolder, startPostgres } from '@lib/testing/postgres';
import { play } from '../derived/history';
import { sqliteStore, write } from '../derived/stores';

/** Of a node's document: what every later build has to fold from these events. */
export const told = [
  'uuid',
  'name',
  'driver',
  'provision_state',
  'target_provision_state',
  'power_state',
  'maintenance',
  'last_error',
  'reservation',
  'inspection_started_at',
  'inspection_finished_at',
] as const;

export interface Told {
  readonly events: number;
  /** By uuid. */
  readonly nodes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const SEED = 2;

/**
 * Writes the log that this release leaves in either database into a folder: a SQLite file, a dump of PostgreSQL, and what the
 * nodes are at its end. Done once a release, by that release: RECORD_HISTORY=<version> npx jest test/histories
 */
export async function record(folder: string): Promise<void> {
  const history = await play(SEED);
  const home = await mkdtemp(join(tmpdir(), 'ferrolog-record-'));
  const server = await startPostgres();
  try {
    const { memory } = history.world;
    const keys = [...memory.store.keys];
    const withKeys = async (opening: Promise<StoredLog>): Promise<StoredLog> => {
      const stored = await opening;
      for (const [id, wrapped] of keys) await stored.keyStore.put(id, wrapped);
      return stored;
    };
    await mkdir(folder, { recursive: true });
    await write(history.appended, (clock) => withKeys(openSqliteLog({ home, schemas, clock, readers: 1 })));
    await sqliteStore(home).query('VACUUM');
    await cp(sqlitePath(home), join(folder, 'ferrolog.sqlite'));
    const url = await server.createDatabase();
    await write(history.appended, (clock) => withKeys(openPostgresLog({ url, schemas, clock, readers: 1 })));
    await writeFile(join(folder, 'ferrolog.sql'), dumpOf(url));
    const documents = memory.store.documents.rows('node').map(({ json }) => JSON.parse(String(json)) as Record<string, unknown>);
    const nodes = Object.fromEntries(
      documents.map((node) => [String(node['uuid']), Object.fromEntries(told.map((name) => [name, node[name]]))]),
    );
    const summary: Told = { events: await memory.log.head(), nodes };
    await writeFile(join(folder, 'told.json'), `${JSON.stringify(summary, null, 2)}\n`);
  } finally {
    await history.end();
    await server.stop();
    await rm(home, { recursive: true });
  }
}

/** As statements that any client can send; commands of the database's own shell are left out. */
function dumpOf(url: string): string {
  const program = join(postgresFolder() ?? '', 'pg_dump');
  const args = ['--inserts', '--rows-per-insert=50', '--no-owner', '--no-privileges', url];
  const text = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return text.replace(/^\\.*\n/gm, '').replace(/^--.*\n/gm, '');
}
