import { documentSchemas } from '@lib/contracts';
import { openPostgresLog, openPostgresReader } from '@lib/adapters/event-log-typeorm';
import { openSqliteLog, openSqliteReader, sqlitePath } from '@lib/adapters/event-log-typeorm';
import type { StoredLog, StoredLogReader } from '@lib/adapters/event-log-typeorm';
import { SettingsError } from '@lib/adapters/settings-file';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { systemClock } from '@lib/adapters/system-clock';
import type { Logger } from '@lib/ports';

type Place = Pick<LoadedSettings['runtime'], 'home' | 'databaseUrl'>;

export interface Store extends StoredLog {
  /** Nobody else can write this log: SQLite under the home. PostgreSQL takes any number of conductors. */
  readonly soleWriter: boolean;
}

/** How long a reader waits for the conductor to make the log, and a conductor for its database server. */
const WAIT_MS = 60_000;
const schemas = documentSchemas;

/** A start that stands still says what for. */
const saying = (logger: Logger) => (sentence: string) =>
  logger.warn({ seconds: WAIT_MS / 1000 }, `${sentence} It is tried again for ${WAIT_MS / 1000} s in all.`);

/** The log for writing; a conductor's. */
export async function openStore({ home, databaseUrl: url }: Place, logger: Logger): Promise<Store> {
  if (url !== null) {
    const waiting = { waitMs: WAIT_MS, onWait: saying(logger) };
    return { ...(await openPostgresLog({ url, schemas, clock: systemClock, ...waiting })), soleWriter: false };
  }
  try {
    return { ...(await openSqliteLog({ home, schemas, clock: systemClock })), soleWriter: true };
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error;
    throw new SettingsError([`${sqlitePath(home)} is no event log: it is damaged, or something else wrote it.`]);
  }
}

/** The log for reading, from any process. */
export const openReader = (
  { home, databaseUrl: url }: Place,
  waitMs: number,
  onWait?: (sentence: string) => void,
): Promise<StoredLogReader> =>
  url === null
    ? openSqliteReader({ path: sqlitePath(home), schemas, waitMs, onWait })
    : openPostgresReader({ url, schemas, waitMs, onWait });

/** The same for a service, whose conductor may still have to make the log. */
export const awaitReader = (place: Place, logger: Logger): Promise<StoredLogReader> =>
  openReader(place, WAIT_MS, saying(logger));
