import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBroker, type Broker } from '@lib/testing';
import { ensureBuilt, MAIN, REPOSITORY } from './build';
import { Child, type Exit } from './child';
import { freePorts } from './free-ports';
import { Guard } from './guard';
import { httpCall } from './http-call';
import { toIni, type Settings } from './settings';
import { Hopeless, until } from './until';

export type Service = 'api' | 'conductor' | 'scheduler' | 'inspector-simulator';
export const SERVICES: readonly Service[] = ['conductor', 'scheduler', 'inspector-simulator', 'api'];

/**
 * How the processes are laid out: `single` one process, no broker; `up` one command that starts the services itself;
 * `services` one process per service started by the test, which can then kill and restart exactly the one it means.
 */
export type Layout = 'single' | 'up' | 'services';

export interface StackOptions {
  readonly settings?: Settings;
  readonly layout?: Layout;
  readonly services?: readonly Service[];
  /** A broker to use; without it the stack starts and stops one of its own. */
  readonly natsUrl?: string;
  readonly busPrefix?: string;
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program to start instead of the compiled command line. */
  readonly program?: string;
  /** Leave the home in place at the end, to look at it. */
  readonly keepHome?: boolean;
  /** Where its home is made; the folder for temporary files unless given. */
  readonly homesFolder?: string;
}

/** How one process took its SIGTERM. */
export interface Stopped {
  readonly name: string;
  readonly how: 'ended' | 'killed';
  readonly exit: Exit | null;
}

export interface Stack {
  readonly apiUrl: string;
  readonly inspectorUrl: string;
  readonly home: string;
  /** SIGTERM to everything, SIGKILL to what does not end; stops the broker it started; removes the home. */
  stop(): Promise<readonly Stopped[]>;
  /** Sends a signal to one service; resolves when it ended, if the signal ends it. */
  kill(service: Service, signal: NodeJS.Signals): Promise<void>;
  /** Starts a service that has ended, and waits until the stack is ready again. Layout `services` only. */
  restart(...services: Service[]): Promise<void>;
  pid(service: Service): number;
  exitOf(service: Service): Exit | null;
  /** The last lines of every process. */
  logs(): string;
}

const READY_TIMEOUT_MS = 90_000;
const LOG_LINES_SHOWN = 120;
const STOP_GRACE_MS = 20_000;
const FOREIGN = /^(FERROLOG_|NATS_URL$|DATABASE_URL$|JEST_|NODE_ENV$|NODE_OPTIONS$)/;

const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));

class RunningStack implements Stack {
  readonly apiUrl: string;
  readonly inspectorUrl: string;
  private readonly children = new Map<string, Child>();
  /** Ended by a test on purpose: nobody waits for these. */
  private readonly ended = new Set<string>();
  private stopping: Promise<readonly Stopped[]> | null = null;

  constructor(
    readonly home: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly layout: Layout,
    private readonly services: readonly Service[],
    private readonly guard: Guard,
    private readonly broker: Broker | null,
    private readonly program: string,
  ) {
    this.apiUrl = `http://127.0.0.1:${env['FERROLOG_API_PORT']}`;
    this.inspectorUrl = `http://127.0.0.1:${env['FERROLOG_INSPECTOR_PORT']}`;
  }

  async start(): Promise<void> {
    if (this.layout === 'services') this.services.forEach((service) => this.spawn(service, ['service', service]));
    else this.spawn('up', this.layout === 'single' ? ['up', '--single'] : ['up']);
    await this.ready();
  }

  async kill(service: Service, signal: NodeJS.Signals): Promise<void> {
    const child = this.children.get(service);
    if (child === undefined) {
      process.kill(this.pid(service), signal);
      return;
    }
    if (signal !== 'SIGKILL' && signal !== 'SIGTERM') return void child.kill(signal);
    this.ended.add(service);
    child.kill(signal);
    await child.exited;
  }

  async restart(...services: Service[]): Promise<void> {
    if (this.layout !== 'services') throw new Error('restart wants the layout "services"');
    for (const service of services) {
      if (this.children.get(service)?.running) throw new Error(`${service} still runs`);
      this.spawn(service, ['service', service]);
    }
    await this.ready();
  }

  pid(service: Service): number {
    return Number(readFileSync(join(this.home, 'run', `${service}.pid`), 'utf8').trim());
  }

  exitOf(service: Service): Exit | null {
    return this.children.get(service)?.exit ?? null;
  }

  logs(): string {
    return [...this.children.values()].map((child) => `--- ${child.name}\n${child.log()}`).join('\n');
  }

  stop(): Promise<readonly Stopped[]> {
    this.stopping ??= this.stopOnce();
    return this.stopping;
  }

  private async stopOnce(): Promise<readonly Stopped[]> {
    const stopped = await Promise.all(
      [...this.children.values()].map(async (child) => ({
        name: child.name,
        how: await child.stop(STOP_GRACE_MS),
        exit: child.exit,
      })),
    );
    await this.broker?.stop();
    await this.guard.fire();
    for (const child of this.children.values()) child.release();
    return stopped;
  }

  private spawn(name: string, args: readonly string[]): void {
    const child = new Child({
      name,
      command: process.execPath,
      args: [this.program, ...args],
      env: this.env,
      cwd: REPOSITORY,
    });
    this.children.set(name, child);
    this.ended.delete(name);
    this.guard.watch(child.pid);
  }

  /** Whether a service has written its pid file; the one of its last life does not count. */
  private registered(service: Service): boolean {
    if (this.layout === 'single' || this.ended.has(service)) return true;
    const child = this.children.get(service);
    return child === undefined ? this.pid(service) > 0 : this.pid(service) === child.pid;
  }

  private async ready(): Promise<void> {
    const urls = [
      ...(this.services.includes('api') ? [`${this.apiUrl}/ferrolog/v1/ready`] : []),
      ...(this.services.includes('inspector-simulator') ? [`${this.inspectorUrl}/v1`] : []),
    ];
    try {
      await until(
        `the stack (${urls.join(', ')})`,
        async () => {
          const dead = [...this.children.values()].find((child) => !child.running && !this.ended.has(child.name));
          if (dead !== undefined) throw new Hopeless(`${dead.name} ended: ${JSON.stringify(dead.exit)}`);
          const unborn = this.services.find((service) => !this.registered(service));
          if (unborn !== undefined) throw new Error(`${unborn} has not written its process id yet`);
          const answers = await Promise.all(
            urls.map((url) => httpCall(url, { method: 'GET', path: '', timeoutMs: 2_000 })),
          );
          const late = answers.findIndex(({ status }) => status !== 200);
          if (late >= 0) throw new Error(`${urls[late]} answers ${answers[late]?.status}: ${answers[late]?.text}`);
          return true;
        },
        { timeoutMs: READY_TIMEOUT_MS, everyMs: 100 },
      );
    } catch (error) {
      const lines = this.logs().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
      throw new Error(`${String(error)}\nlast log lines:\n${lines}`, { cause: error });
    }
  }
}

/**
 * Starts a whole stack in a temporary home, on free ports, and waits until it is ready. On failure it stops what it
 * started and throws an error that carries the last log lines.
 */
export const startStack = async (options: StackOptions = {}): Promise<Stack> => {
  if (options.program === undefined) ensureBuilt();
  const { layout = 'services', services = SERVICES } = options;
  const home = mkdtempSync(join(options.homesFolder ?? tmpdir(), 'ferrolog-stack-'));
  const guard = new Guard(home, options.keepHome);
  let broker: Broker | null = null;
  let stack: RunningStack | null = null;
  try {
    mkdirSync(join(home, 'run'));
    const config = join(home, 'ferrolog.conf');
    writeFileSync(config, toIni(options.settings ?? {}));
    if (layout !== 'single' && options.natsUrl === undefined) {
      broker = await startBroker();
      guard.watch(broker.pid(), 'nats-server');
    }
    const [apiPort, inspectorPort] = await freePorts(2);
    const natsUrl = options.natsUrl ?? broker?.url;
    const env: NodeJS.ProcessEnv = {
      ...cleanEnvironment(),
      FERROLOG_CONFIG: config,
      FERROLOG_HOME: home,
      FERROLOG_API_PORT: String(apiPort),
      FERROLOG_INSPECTOR_PORT: String(inspectorPort),
      FERROLOG_SERVICES: services.join(','),
      ...(options.busPrefix === undefined ? {} : { FERROLOG_BUS_PREFIX: options.busPrefix }),
      ...(natsUrl === undefined ? {} : { NATS_URL: natsUrl }),
      ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
      ...options.env,
    };
    stack = new RunningStack(home, env, layout, services, guard, broker, options.program ?? MAIN);
    await stack.start();
    return stack;
  } catch (error) {
    if (stack !== null) await stack.stop();
    else {
      await broker?.stop();
      await guard.fire();
    }
    throw error;
  }
};
