import { schemaIndex } from '@lib/adapters/event-log-batch';
import type { Clock, DocumentSchema } from '@lib/ports';
import { ClosingStack } from './closing-stack';
import { assertMade } from './identity';
import { openReaderSource, openWriterSource, type PostgresTimes } from './postgres-connections';
import { PostgresReading } from './postgres-sql';
import { PostgresWriter } from './postgres-writer';
import { preparePostgres } from './prepare-postgres';
import { storedLog, storedLogReader, type StoredLog, type StoredLogReader } from './stored-log';
import { waitFor } from './wait-for';

export interface PostgresLogOptions {
  /** `postgres://user:password@host:port/database`; what the driver understands, as `?sslmode=`, is passed on. */
  readonly url: string;
  readonly schemas: readonly DocumentSchema[];
  readonly clock: Pick<Clock, 'now'>;
  /** Reading connections of this process; default 4. */
  readonly readers?: number;
  /** How long the server may take to come up; default 0. */
  readonly waitMs?: number;
  readonly times?: Partial<PostgresTimes>;
  /** Told once, with a sentence, when the server is waited for. */
  readonly onWait?: ((sentence: string) => void) | undefined;
}

export type PostgresReaderOptions = Omit<PostgresLogOptions, 'clock'>;

const READERS = 4;
const defaults: PostgresTimes = { lockMs: 5_000, statementMs: 30_000, idleInTransactionMs: 10_000 };

/**
 * Opens the log as one of its writers: makes or migrates the tables, asserts the server's settings. Rejects with a
 * sentence, in which nothing of the address appears, when the database cannot be had.
 */
export async function openPostgresLog(options: PostgresLogOptions): Promise<StoredLog> {
  const { url, clock, readers = READERS, waitMs = 0 } = options;
  const times = { ...defaults, ...options.times };
  const schemas = schemaIndex(options.schemas);
  const closing = new ClosingStack();
  try {
    await waitFor(
      () => preparePostgres(url, schemas, clock.now()),
      waitMs,
      (why) => `The event log cannot be opened in PostgreSQL (${why}).`,
      options.onWait,
    );
    const writer = new PostgresWriter(await openWriterSource(url, times));
    closing.push(() => writer.close());
    const reading = new PostgresReading(await openReaderSource(url, readers, times));
    closing.push(() => reading.close());
    return storedLog({ writer, reading, schemas, clock, soleWriter: false }, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** Opens a log that other processes write, for reading only; waits until one of them has made it. */
export async function openPostgresReader(options: PostgresReaderOptions): Promise<StoredLogReader> {
  const { url, readers = READERS, waitMs = 0 } = options;
  const schemas = schemaIndex(options.schemas);
  const reading = await waitFor(
    async () => {
      const opened = new PostgresReading(await openReaderSource(url, readers, { ...defaults, ...options.times }));
      try {
        await assertMade(opened, schemas);
        return opened;
      } catch (error) {
        await opened.close();
        throw error;
      }
    },
    waitMs,
    (why) => `The event log in PostgreSQL cannot be read (${why}); is the conductor running?`,
    options.onWait,
  );
  return storedLogReader(reading, schemas, () => reading.close());
}
