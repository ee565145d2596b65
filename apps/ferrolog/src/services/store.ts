import { documentSchemas } from '@lib/contracts';
import { openPostgresLog, openPostgresReader } from '@lib/adapters/event-log-typeorm';
import { openSqliteLog, openSqliteReader, sqlitePath } from '@lib/adapters/event-log-typeorm';
import type { StoredLog, StoredLogReader } from '@lib/adapters/event-log-typeorm';
import { SettingsError } from '@lib/adapters/settings-file';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { systemClock } from '@lib/adapters/system-clock';

type Place = Pick<LoadedSettings['runtime'], 'home' | 'databaseUrl'>;

export interface Store extends StoredLog {
  /** Nobody else can write this log: SQLite under the home. PostgreSQL takes any number of conductors. */
  readonly soleWriter: boolean;
}

/** How long a reader waits for the conductor to make the log, and a conductor for its database server. */
const WAIT_MS = 60_000;
const schemas = documentSchemas;

/** The log for writing; a conductor's. */
export async function openStore({ home, databaseUrl: url }: Place): Promise<Store> {
  if (url !== null) {
    return { ...(await openPostgresLog({ url, schemas, clock: systemClock, waitMs: WAIT_MS })), soleWriter: false };
  }
  try {
    return { ...(await openSqliteLog({ home, schemas, clock: systemClock })), soleWriter: true };
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error;
    throw new SettingsError([`${sqlitePath(home)} is no event log: it is damaged, or something else wrote it.`]);
  }
}

/** The log for reading, from any process. */
export const openReader = ({ home, databaseUrl: url }: Place, waitMs = WAIT_MS): Promise<StoredLogReader> =>
  url === null
    ? openSqliteReader({ path: sqlitePath(home), schemas, waitMs })
    : openPostgresReader({ url, schemas, waitMs });
