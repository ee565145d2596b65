import { documentSchemas } from '@lib/contracts';
import { openSqliteLog, openSqliteReader, sqlitePath } from '@lib/adapters/event-log-typeorm';
import type { SqliteLog, SqliteReader } from '@lib/adapters/event-log-typeorm';
import { systemClock } from '@lib/adapters/system-clock';

/** How long a reader waits for the conductor to make the log. */
const READER_WAIT_MS = 60_000;

/** The log as its one writer; the conductor's. */
export const openStore = (home: string): Promise<SqliteLog> =>
  openSqliteLog({ home, schemas: documentSchemas, clock: systemClock });

/** The log for reading, from any process. */
export const openReader = (home: string): Promise<SqliteReader> =>
  openSqliteReader({ path: sqlitePath(home), schemas: documentSchemas, waitMs: READER_WAIT_MS });
