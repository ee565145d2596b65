import { DataSource } from 'typeorm';
import { postgresMigrations } from './migrations';

export interface PostgresTimes {
  /** How long an append waits for another writer. */
  readonly lockMs: number;
  /** How long one statement may take. */
  readonly statementMs: number;
  /** How long a writer that stopped in the middle of a transaction keeps the others out. */
  readonly idleInTransactionMs: number;
}

const CONNECT_MS = 5_000;
/** The server should have said something long before; what says nothing is no longer there. */
const SILENCE_MS = 5_000;

interface Settings {
  readonly applicationName: string;
  readonly connections: number;
  readonly extra: Readonly<Record<string, unknown>>;
  /** Settings of the server for these sessions, after those that the address names. */
  readonly options?: string;
}

async function open(address: string, { applicationName, connections, extra, options }: Settings): Promise<DataSource> {
  const url = options === undefined ? address : withOptions(address, options);
  const source = new DataSource({
    type: 'postgres',
    url,
    applicationName,
    poolSize: connections,
    connectTimeoutMS: CONNECT_MS,
    migrations: postgresMigrations,
    // A connection that breaks while nobody uses it is replaced when somebody does.
    poolErrorHandler: () => undefined,
    // The driver reads the whole address, with options that the generic reader of addresses drops.
    extra: { connectionString: url, keepAlive: true, idleTimeoutMillis: 0, ...extra },
  });
  return source.initialize();
}

/** What the address says replaces what is said beside it, so that both have to stand in the address. */
function withOptions(address: string, options: string): string {
  const [place = '', query = ''] = address.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('options', `${parameters.get('options') ?? ''} ${options}`.trim());
  return `${place}?${parameters.toString().replaceAll('+', '%20')}`;
}

const limits = ({ lockMs, statementMs, idleInTransactionMs }: PostgresTimes) => ({
  lock_timeout: lockMs,
  statement_timeout: statementMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
  query_timeout: Math.max(lockMs, statementMs) + SILENCE_MS,
});

/** One connection, with the limits that keep one writer from blocking the others for ever. */
export const openWriterSource = (url: string, times: PostgresTimes): Promise<DataSource> =>
  open(url, { applicationName: 'ferrolog writer', connections: 1, extra: limits(times) });

/** Connections that can only read. */
export const openReaderSource = (url: string, connections: number, times: PostgresTimes): Promise<DataSource> =>
  open(url, {
    applicationName: 'ferrolog reader',
    connections,
    extra: limits(times),
    options: '-c default_transaction_read_only=on',
  });

/** One connection for making and migrating tables, which may take its time. */
export const openMigrationSource = (url: string): Promise<DataSource> =>
  open(url, { applicationName: 'ferrolog migration', connections: 1, extra: {} });
