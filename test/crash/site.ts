import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresReader, openSqliteReader, sqlitePath } from '@lib/adapters/event-log-typeorm';
import type { StoredLogReader } from '@lib/adapters/event-log-typeorm';
import { documentSchemas } from '@lib/contracts';
import { startBroker, type Broker } from '@lib/testing';
import { startPostgres } from '@lib/testing/postgres';
import { MAIN, REPOSITORY, SERVICES, startStack, type Settings, type Stack } from '../stack';
import { Guard } from '../stack/guard';

export const DATABASES = ['sqlite', 'postgres'] as const;
export type Database = (typeof DATABASES)[number];

const SETTINGS: Settings = {
  DEFAULT: { enabled_inspect_interfaces: 'inspector, agent, fake, no-inspect' },
  conductor: { inspect_wait_timeout: '30', automated_clean: 'false' },
  inspector: { status_check_period: '1', require_managed_boot: 'false', timeout: '5' },
  simulator: { ramdisk_poll: '0.5' },
};
const READER_WAIT_MS = 10_000;

/** A stack of processes with a broker and a database of its own, which several rounds are played on, log and all. */
export interface Site {
  readonly database: Database;
  readonly stack: Stack;
  readonly broker: Broker;
  /** To be told after each start of the broker. */
  onBroker(): void;
  /** The log, read past the services. */
  openLog(): Promise<StoredLogReader>;
  /** Runs `ferrolog verify`; what it finds, empty when clean. */
  verify(): Promise<string[]>;
  /** Services that ended by themselves. */
  deaths(): string[];
  close(): Promise<void>;
}

export const openSite = async (database: Database, keepHome: boolean): Promise<Site> => {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.reverse()) await one();
  };
  try {
    const broker = await startBroker();
    closing.push(() => broker.stop());
    const guard = new Guard(mkdtempSync(join(tmpdir(), 'ferrolog-crash-')));
    closing.push(() => guard.fire());
    const onBroker = (): void => guard.watch(broker.pid(), 'nats-server');
    onBroker();
    const databaseUrl = database === 'postgres' ? await scratchDatabase(closing) : undefined;
    const stack = await startStack({
      settings: SETTINGS,
      layout: 'services',
      natsUrl: broker.url,
      keepHome,
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
    });
    closing.push(() => stack.stop());
    const place: NodeJS.ProcessEnv = {
      FERROLOG_HOME: stack.home,
      FERROLOG_CONFIG: join(stack.home, 'ferrolog.conf'),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    };
    const common = { schemas: documentSchemas, waitMs: READER_WAIT_MS };
    return {
      database,
      stack,
      broker,
      onBroker,
      openLog: () =>
        databaseUrl === undefined
          ? openSqliteReader({ ...common, path: sqlitePath(stack.home) })
          : openPostgresReader({ ...common, url: databaseUrl }),
      verify: () => verify(place),
      deaths: () =>
        SERVICES.filter((name) => stack.exitOf(name) !== null).map(
          (name) => `${name} ended by itself: ${JSON.stringify(stack.exitOf(name))}`,
        ),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

const scratchDatabase = async (closing: (() => Promise<unknown>)[]): Promise<string> => {
  const server = await startPostgres();
  closing.push(() => server.stop());
  return server.createDatabase();
};

const verify = async (place: NodeJS.ProcessEnv): Promise<string[]> => {
  const env = { PATH: process.env['PATH'], ...place };
  const child = spawn(process.execPath, [MAIN, 'verify', '--json'], { cwd: REPOSITORY, env });
  let [out, complaints] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code === 0) return [];
  try {
    const { differences } = JSON.parse(out) as { differences: unknown[] };
    return differences.map((difference) => JSON.stringify(difference));
  } catch {
    return [`it ended with ${code}: ${complaints.trim() || out.slice(0, 500)}`];
  }
};
