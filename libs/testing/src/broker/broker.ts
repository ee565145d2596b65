import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BrokerSettings {
  /** Largest message in bytes; the server's own default is 1 MiB. */
  readonly maxPayloadBytes?: number;
  readonly user?: string;
  readonly password?: string;
  /** JetStream is on unless this is false. */
  readonly jetstream?: boolean;
  /** Where JetStream keeps its files, also after `stop`; a folder of the broker's own unless given. */
  readonly storeFolder?: string;
  /** JetStream takes no more than this; bounded by the disk unless given. */
  readonly storeBytesMax?: number;
}

/** A `nats-server` of our own on a free port of 127.0.0.1, with its store in a temp folder. */
export interface Broker {
  /** `nats://127.0.0.1:<port>`; the same before and after a restart. */
  readonly url: string;
  readonly port: number;
  /** Where JetStream keeps its files. */
  readonly storeFolder: string;
  pid(): number;
  /** kill -9: no farewell to clients, no flush of anything. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port and the same store, with settings that replace those of before. Resolves when clients can connect. */
  restart(changed?: BrokerSettings): Promise<void>;
  /** Ends the process and removes the folder. */
  stop(): Promise<void>;
}

const READY_LIMIT_MS = 20_000;

/** Full path of `nats-server` on the PATH, null when there is none. */
export function natsServerPath(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const folder of folders) {
    const path = join(folder || '.', 'nats-server');
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      continue;
    }
  }
  return null;
}

/** Throws when `nats-server` is not installed or does not come up. */
export async function startBroker(settings: BrokerSettings = {}): Promise<Broker> {
  const binary = natsServerPath();
  if (binary === null) throw new Error('nats-server is not on the PATH: apt-get install nats-server');
  const folder = mkdtempSync(join(tmpdir(), 'ferrolog-broker-'));
  const { storeFolder = join(folder, 'store') } = settings;
  let running: Running;
  try {
    writeFileSync(join(folder, 'nats.conf'), configuration(settings, storeFolder));
    running = await launch(binary, folder, -1);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const { port } = running;
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    storeFolder,
    pid: () => running.child.pid ?? -1,
    kill: () => end(running.child, 'SIGKILL'),
    restart: async (changed = {}) => {
      writeFileSync(join(folder, 'nats.conf'), configuration({ ...settings, ...changed }, storeFolder));
      running = await launch(binary, folder, port);
    },
    stop: async () => {
      await end(running.child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

function configuration(settings: BrokerSettings, store: string): string {
  const lines = [];
  if (settings.maxPayloadBytes !== undefined) lines.push(`max_payload: ${settings.maxPayloadBytes}`);
  if (settings.jetstream !== false) {
    const limit = settings.storeBytesMax === undefined ? '' : `, max_file_store: ${settings.storeBytesMax}`;
    lines.push(`jetstream { store_dir: ${JSON.stringify(store)}${limit} }`);
  }
  if (settings.user !== undefined) {
    lines.push(
      `authorization { user: ${JSON.stringify(settings.user)}, password: ${JSON.stringify(settings.password ?? '')} }`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** The server picks the port itself (-1) and writes it to a file, so no port is guessed. */
async function launch(binary: string, folder: string, port: number): Promise<Running> {
  const args = ['-c', join(folder, 'nats.conf'), '-a', '127.0.0.1', '-p', String(port), '--ports_file_dir', folder];
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  // A test run that ends in the middle must not leave the server behind.
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.removeListener('exit', endWithUs));

  const portsFile = join(folder, `nats-server_${child.pid}.ports`);
  const deadline = performance.now() + READY_LIMIT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.pid === undefined) break;
    // The ports file is written when the listeners are up; JetStream is ready before them.
    const ports = said.includes('Server is ready') && existsSync(portsFile) ? readFileSync(portsFile, 'utf8') : '';
    if (ports.endsWith('}')) {
      const [url] = (JSON.parse(ports) as { nats: string[] }).nats;
      if (url !== undefined) return { child, port: Number(new URL(url).port) };
    }
    await sleep(10);
  }
  await end(child, 'SIGKILL');
  throw new Error(`nats-server did not come up: ${said.trim() || 'it said nothing'}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await gone;
}
