import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { startBroker, type Broker } from '@lib/testing';
import type { NodeFields } from '@lib/domain';
import { sqlitePath } from '@lib/adapters/event-log-typeorm';
import { Api, SERVICES, startStack, until, type Service, type Stack } from '../stack';
import { fill, type Wish } from './fill';
import type { Sizes } from './sizes';
import { Worker } from './workers';

export interface BedOptions {
  readonly sizes: Sizes;
  readonly progress: (line: string) => void;
  /** Folder for a CPU profile of each service; none without it. */
  readonly profile?: string | undefined;
}

export const BUS_PREFIX = 'bench';
export const settings = {
  DEFAULT: { enabled_inspect_interfaces: 'agent, fake, no-inspect' },
  conductor: { inspect_wait_timeout: '1800' },
  inspector: { require_managed_boot: 'false' },
};

/** As large as the nodes of a rack are: some properties, a BMC, a few capabilities. */
export const creation = (uuid: string, name: string): Record<string, unknown> => ({
  uuid,
  name,
  driver: 'fake-hardware',
  inspect_interface: 'agent',
  resource_class: 'baremetal',
  properties: { cpus: 32, memory_mb: 262144, local_gb: 1862, cpu_arch: 'x86_64', capabilities: 'boot_mode:uefi' },
  driver_info: { fake_address: '192.0.2.10', fake_username: 'admin', deploy_kernel: 'http://192.0.2.1/kernel' },
  extra: { rack: 'r12', height_units: 2, serial: 'QX-204-118' },
});

const FIRST = uuidOf('first', 1);
const PATIENCE = { timeoutMs: 120_000, everyMs: 50 };

/** Of their own for each purpose and number. */
export function uuidOf(purpose: string, index: number): string {
  const head = [...purpose].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0xffffffff, 7);
  return `${head.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

const profiling = (folder: string | undefined): Record<string, string> =>
  folder === undefined
    ? {}
    : { NODE_OPTIONS: `--require ${join(__dirname, 'profile-service.cjs')}`, BENCH_PROFILE_FOLDER: resolve(folder) };

/** The stack under test, its broker, its log, and workers beside it. */
export class Bed {
  private fields: NodeFields | null = null;
  private nodes = 1;
  private readonly workers = new Map<string, Worker>();
  private readonly closers: (() => unknown)[] = [];
  /** Appends/s of the last fill: what the next one is expected to take. */
  private fillRate = 1_000;

  private constructor(
    readonly options: BedOptions,
    readonly broker: Broker,
    readonly stack: Stack,
    readonly load: Worker,
  ) {}

  static async open(options: BedOptions): Promise<Bed> {
    const broker = await startBroker();
    try {
      if (options.profile !== undefined) mkdirSync(options.profile, { recursive: true });
      const env = profiling(options.profile);
      const stack = await startStack({ settings, natsUrl: broker.url, busPrefix: BUS_PREFIX, env });
      return new Bed(options, broker, stack, new Worker('load'));
    } catch (error) {
      await broker.stop();
      throw error;
    }
  }

  get sizes(): Sizes {
    return this.options.sizes;
  }

  get port(): number {
    return Number(new URL(this.stack.apiUrl).port);
  }

  get database(): string {
    return sqlitePath(this.stack.home);
  }

  /** Of the services that are there now: the conductor is away while the log is filled. */
  get pids(): Readonly<Record<string, number>> {
    return Object.fromEntries(SERVICES.flatMap((name) => this.pidOf(name)));
  }

  private pidOf(name: Service): [string, number][] {
    try {
      return [[name, this.stack.pid(name)]];
    } catch {
      return [];
    }
  }

  progress(line: string): void {
    this.options.progress(line);
  }

  /** One process for each name, started when it is first asked for. */
  worker(name: string): Worker {
    const known = this.workers.get(name);
    if (known !== undefined) return known;
    const worker = new Worker(name);
    this.workers.set(name, worker);
    this.closers.push(() => worker.stop());
    return worker;
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'ferrolog-bench-'));
    this.closers.push(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Fields of a node as a conductor recorded its creation: all nodes that are filled in have them. */
  async template(): Promise<NodeFields> {
    if (this.fields !== null) return this.fields;
    await new Api(this.stack.apiUrl).must(201, 'POST', '/v1/nodes', creation(FIRST, 'first'));
    const [enrolled] = await this.query<{ data: string }>(
      'SELECT data FROM events WHERE stream_id = ? AND version = 1',
      [`node/${FIRST}`],
    );
    if (enrolled === undefined) throw new Error('no creation was recorded');
    this.fields = (JSON.parse(enrolled.data) as { fields: NodeFields }).fields;
    return this.fields;
  }

  /** Brings the log to so many nodes, at least. Answers uuids from all over them. */
  async nodesInLog(count: number): Promise<string[]> {
    const missing = count - this.nodes;
    const first = this.nodes;
    if (missing > 0) {
      this.progress(`filling the log up to ${count} nodes`);
      await this.fillWith(
        Array.from({ length: missing }, (_, i) => ({
          uuid: uuidOf('plain', first + i),
          name: `plain-${first + i}`,
          state: 'enroll' as const,
        })),
      );
    }
    const step = Math.max(1, Math.floor((this.nodes - 1) / 2_000));
    const plain = Array.from({ length: Math.floor((count - 1) / step) }, (_, i) => uuidOf('plain', 1 + i * step));
    return plain;
  }

  /** Nodes that wait for their inspection to be asked for. */
  async manageable(purpose: string, count: number, rest: Partial<Wish> = {}): Promise<string[]> {
    const wishes = Array.from({ length: count }, (_, i) => ({
      uuid: uuidOf(purpose, i),
      name: `${purpose}-${i}`,
      state: 'manageable' as const,
      ...rest,
    }));
    this.progress(`filling in ${count} manageable nodes`);
    await this.fillWith(wishes, false);
    return wishes.map(({ uuid }) => uuid);
  }

  async fillWith(wishes: readonly Wish[], counted = true): Promise<void> {
    const fields = await this.template();
    await this.conductorAway(async () => {
      this.fillRate = await fill(this.stack.home, fields, wishes);
    });
    if (counted) this.nodes += wishes.length;
  }

  /** How long a fill and the conductor's new start may take, ms, generously. */
  fillMs(count: number): number {
    return (count / this.fillRate) * 1_500 + 10_000;
  }

  /** The log is ours while `run` runs. */
  async conductorAway(run: () => Promise<void>): Promise<void> {
    await this.stack.kill('conductor', 'SIGTERM');
    await run();
    await this.stack.restart('conductor');
  }

  /** Resolves when no effect is open: what the last slice began is over. */
  async quiet(): Promise<void> {
    await this.noneOf('SELECT count(*) AS many FROM effects', 'open effects');
  }

  async noneOf(count: string, what: string, timeoutMs = PATIENCE.timeoutMs): Promise<void> {
    const look = async (): Promise<true> => {
      const [row] = await this.query<{ many: number }>(count);
      if (row?.many === 0) return true;
      throw new Error(`${row?.many} ${what}`);
    };
    await until(`no ${what}`, look, { ...PATIENCE, timeoutMs });
  }

  /** Reads the log's database, beside the stack. */
  async query<T>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    this.reader ??= await new DataSource({ type: 'sqlite', database: this.database, flags: 1 }).initialize();
    return (await this.reader.query(text, [...values])) as T[];
  }

  private reader: DataSource | null = null;

  async close(): Promise<void> {
    await this.reader?.destroy();
    await this.load.stop();
    for (const close of this.closers.splice(0)) await close();
    await this.stack.stop();
    await this.broker.stop();
  }
}
