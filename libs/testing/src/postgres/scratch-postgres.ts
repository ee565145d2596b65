import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { postgresFolder, reachableFolder, serverUser, type User } from './find-server';

export { postgresFolder };

/** A PostgreSQL of our own on a free port of 127.0.0.1, its data in a temporary folder. It syncs as a real one does. */
export interface ScratchPostgres {
  /** A new, empty database; the address to reach it. */
  createDatabase(): Promise<string>;
  /** A new, empty schema in one database of its own: as good for most tests, and made in a tenth of the time. */
  createSchema(): Promise<string>;
  /** A connection of somebody else, for looking and for standing in the way. To be ended by the caller. */
  connect(url: string): Promise<Client>;
  /** kill -9 of the server and all its children: no checkpoint, no farewell. Resolves when they are gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. Resolves when clients can connect. */
  restart(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

const READY_LIMIT_MS = 60_000;
const PORTS_TRIED_MAX = 5;

/** Kills the server and removes its folder when this process ends in any way, kill -9 included. */
const GUARD = `cat >/dev/null; pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
[ -n "$pid" ] && grep -qsF "$1" "/proc/$pid/cmdline" && kill -QUIT "$pid" && sleep 1; rm -rf "$1"`;

/** Throws when the server is not installed or does not come up. */
export async function startPostgres(): Promise<ScratchPostgres> {
  const programs = postgresFolder();
  if (programs === null) throw new Error('the PostgreSQL server is not installed: apt-get install postgresql');
  const user = serverUser();
  const folder = mkdtempSync(join(reachableFolder(user), 'ferrolog-postgres-'));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const guard = spawn('/bin/sh', ['-c', GUARD, 'postgres-guard', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  const server = new Server(programs, folder, user);
  try {
    server.init();
    await server.startOnFreePort();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return server;
}

class Server implements ScratchPostgres {
  private child: ChildProcess | null = null;
  private port = 0;
  private databases = 0;
  private schemas = 0;
  private schemaHome: Promise<string> | undefined;

  constructor(
    private readonly programs: string,
    private readonly folder: string,
    private readonly user: User | null,
  ) {}

  /** Text that the database would sort by a language's rules, unless the log says otherwise. */
  init(): void {
    const order = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en'];
    const args = ['-D', join(this.folder, 'data'), '-U', 'ferrolog', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
    execFileSync(join(this.programs, 'initdb'), [...args, ...order], { ...this.user, cwd: this.folder, stdio: 'pipe' });
  }

  async startOnFreePort(): Promise<void> {
    for (let tried = 1; ; tried++) {
      this.port = await freePort();
      try {
        return await this.restart();
      } catch (error) {
        if (tried >= PORTS_TRIED_MAX || !String(error).includes('in use')) throw error;
      }
    }
  }

  async createDatabase(): Promise<string> {
    const name = `log_${++this.databases}`;
    const client = await this.connect(this.url('postgres'));
    try {
      await client.query(`CREATE DATABASE ${name}`);
    } finally {
      await client.end();
    }
    return this.url(name);
  }

  async createSchema(): Promise<string> {
    const url = await (this.schemaHome ??= this.createDatabase());
    const name = `log_${++this.schemas}`;
    const client = await this.connect(url);
    try {
      await client.query(`CREATE SCHEMA ${name}`);
    } finally {
      await client.end();
    }
    return `${url}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
  }

  async connect(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(/\s+/);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    for (const pid of children) endQuietly(Number(pid));
    await gone;
    while (children.some((pid) => isAlive(Number(pid)))) await sleep(20);
  }

  async restart(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      'unix_socket_directories=',
      'fsync=on',
      'shared_buffers=64MB',
      'max_connections=100',
      'logging_collector=off',
    ];
    const args = ['-D', join(this.folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(this.programs, 'postgres'), args, {
      ...this.user,
      cwd: this.folder,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child = child;
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-8_000)));
    child.unref();
    (child.stderr as unknown as { unref?: () => void }).unref?.();
    const deadline = performance.now() + READY_LIMIT_MS;
    while (performance.now() < deadline && child.exitCode === null && child.pid !== undefined) {
      if (said.includes('ready to accept connections')) return;
      await sleep(20);
    }
    await this.kill();
    throw new Error(`PostgreSQL did not come up: ${said.trim() || 'it said nothing'}`);
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private url(database: string): string {
    return `postgres://ferrolog@127.0.0.1:${this.port}/${database}`;
  }
}

/** A describe block that is skipped, and says why, where the server is not installed. */
export function describeWithPostgres(name: string, block: () => void): void {
  if (postgresFolder() !== null) return describe(name, block);
  const reason = 'the PostgreSQL server is not installed (apt-get install postgresql)';
  process.stderr.write(`Skipped: ${name}: ${reason}\n`);
  describe.skip(`${name}: ${reason}`, block);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

function endQuietly(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with its parent.
  }
}

/** A zombie that nobody has buried yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return pid > 0 && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
