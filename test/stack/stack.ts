import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBroker, type Broker } from '@lib/testing';
import { ensureBuilt, MAIN, REPOSITORY } from './build';
import { Child, type Exit } from './child';
import { freePorts } from './free-ports';
import { Guard } from './guard';
import { httpCall } from './http-call';
import { mergeSettings, toIni, type Settings } from './settings';
import { Hopeless, until } from './until';

export type Service = 'api' | 'conductor' | 'scheduler' | 'inspector-simulator';
export const SERVICES: readonly Service[] = ['conductor', 'scheduler', 'inspector-simulator', 'api'];

/** One process of a service: the first goes by the service's own name, the next is `conductor-2`. */
export type Instance = Service | `${Service}-${number}`;

/**
 * How the processes are laid out: `single` one process, no broker; `up` one command that starts the services itself;
 * `services` one process per service started by the test, which can then kill and restart exactly the one it means.
 */
export type Layout = 'single' | 'up' | 'services';

export interface StackOptions {
  readonly settings?: Settings;
  readonly layout?: Layout;
  readonly services?: readonly Service[];
  /**
   * How many of a service, one each unless said. Each further one has a home, a host name and a port of its own, as on
   * another machine. Layout `services` only.
   */
  readonly instances?: Readonly<Partial<Record<Service, number>>>;
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
  /** Of every api, the first one's first. */
  readonly apiUrls: readonly string[];
  readonly inspectorUrl: string;
  readonly home: string;
  /** SIGTERM to everything, SIGKILL to what does not end; stops the broker it started; removes the home. */
  stop(): Promise<readonly Stopped[]>;
  /** Sends a signal to one process; resolves when it ended, if the signal ends it. */
  kill(instance: Instance, signal: NodeJS.Signals): Promise<void>;
  /** Starts what has ended, and waits until the stack is ready again. Layout `services` only. */
  restart(...instances: Instance[]): Promise<void>;
  /** Settings that a process has beside the stack's, from its next start on. */
  configure(instance: Instance, settings: Settings): void;
  /** `single` in the layout of that name. */
  pid(instance: Instance | 'single'): number;
  exitOf(instance: Instance): Exit | null;
  /** The last lines of every process. */
  logs(): string;
}

const READY_TIMEOUT_MS = 90_000;
const LOG_LINES_SHOWN = 120;
const STOP_GRACE_MS = 20_000;
const FOREIGN = /^(FERROLOG_|NATS_URL$|DATABASE_URL$|JEST_|NODE_ENV$|NODE_OPTIONS$)/;

const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));

const serviceOf = (instance: Instance): Service =>
  SERVICES.find((service) => instance === service || instance.startsWith(`${service}-`)) as Service;

/** What tells the processes of a stack from each other. */
interface Place {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Settings;
}

class RunningStack implements Stack {
  readonly apiUrl: string;
  readonly apiUrls: readonly string[];
  readonly inspectorUrl: string;
  private readonly children = new Map<string, Child>();
  /** Ended by a test on purpose: nobody waits for these. */
  private readonly ended = new Set<string>();
  private stopping: Promise<readonly Stopped[]> | null = null;

  constructor(
    readonly home: string,
    private readonly places: ReadonlyMap<Instance, Place>,
    private readonly layout: Layout,
    private readonly services: readonly Service[],
    private readonly guard: Guard,
    private readonly broker: Broker | null,
    private readonly program: string,
  ) {
    const env = [...places.values()][0]?.env ?? {};
    this.apiUrl = apiUrlOf(env);
    const apis = [...places].filter(([instance]) => serviceOf(instance) === 'api');
    this.apiUrls = apis.map(([, place]) => apiUrlOf(place.env));
    this.inspectorUrl = `http://127.0.0.1:${env['FERROLOG_INSPECTOR_PORT']}`;
  }

  async start(): Promise<void> {
    const instances = [...this.places.keys()];
    for (const instance of instances) this.configure(instance, {});
    if (this.layout === 'services') instances.forEach((instance) => this.spawnService(instance));
    else this.spawn('up', this.layout === 'single' ? ['up', '--single'] : ['up'], this.places.values().next().value);
    await this.ready();
  }

  configure(instance: Instance, settings: Settings): void {
    const place = this.placeOf(instance);
    mkdirSync(join(place.home, 'run'), { recursive: true });
    writeFileSync(join(place.home, 'ferrolog.conf'), toIni(mergeSettings(place.settings, settings)));
  }

  async kill(instance: Instance, signal: NodeJS.Signals): Promise<void> {
    const child = this.children.get(instance);
    if (child === undefined) {
      process.kill(this.pid(instance), signal);
      return;
    }
    if (signal !== 'SIGKILL' && signal !== 'SIGTERM') return void child.kill(signal);
    this.ended.add(instance);
    child.kill(signal);
    await child.exited;
  }

  async restart(...instances: Instance[]): Promise<void> {
    if (this.layout !== 'services') throw new Error('restart wants the layout "services"');
    for (const instance of instances) {
      if (this.children.get(instance)?.running) throw new Error(`${instance} still runs`);
      this.spawnService(instance);
    }
    await this.ready();
  }

  pid(instance: Instance | 'single'): number {
    const [home, name] =
      instance === 'single'
        ? [this.home, instance]
        : [this.places.get(instance)?.home ?? this.home, serviceOf(instance)];
    return Number(readFileSync(join(home, 'run', `${name}.pid`), 'utf8').trim());
  }

  exitOf(instance: Instance): Exit | null {
    return this.children.get(instance)?.exit ?? null;
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

  private placeOf(instance: Instance): Place {
    const place = this.places.get(instance);
    if (place === undefined) throw new Error(`there is no ${instance} in this stack`);
    return place;
  }

  private spawnService(instance: Instance): void {
    this.spawn(instance, ['service', serviceOf(instance)], this.placeOf(instance));
  }

  private spawn(name: string, args: readonly string[], place: Place | undefined): void {
    const child = new Child({
      name,
      command: process.execPath,
      args: [this.program, ...args],
      env: place?.env ?? {},
      cwd: REPOSITORY,
    });
    this.children.set(name, child);
    this.ended.delete(name);
    this.guard.watch(child.pid);
  }

  /** Whether a process has written its pid file; the one of its last life does not count. */
  private registered(instance: Instance): boolean {
    if (this.layout === 'single' || this.ended.has(instance)) return true;
    const child = this.children.get(instance);
    return child === undefined ? this.pid(instance) > 0 : this.pid(instance) === child.pid;
  }

  private async ready(): Promise<void> {
    const apis = [...this.places].filter(([instance]) => serviceOf(instance) === 'api' && !this.ended.has(instance));
    const urls = [
      ...apis.map(([, { env }]) => `${apiUrlOf(env)}/ferrolog/v1/ready`),
      ...(this.services.includes('inspector-simulator') && !this.ended.has('inspector-simulator')
        ? [`${this.inspectorUrl}/v1`]
        : []),
    ];
    try {
      await until(
        `the stack (${urls.join(', ')})`,
        async () => {
          const dead = [...this.children.values()].find((child) => !child.running && !this.ended.has(child.name));
          if (dead !== undefined) throw new Hopeless(`${dead.name} ended: ${JSON.stringify(dead.exit)}`);
          const unborn = [...this.places.keys()].find((instance) => !this.registered(instance));
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

const apiUrlOf = (env: NodeJS.ProcessEnv): string => `http://127.0.0.1:${env['FERROLOG_API_PORT']}`;

/** The first of each service share the stack's home, as on one machine; each further one has its own. */
async function placesOf(
  home: string,
  options: StackOptions,
  natsUrl: string | undefined,
): Promise<Map<Instance, Place>> {
  const { services = SERVICES, instances = {}, settings = {} } = options;
  const countOf = (service: Service): number => instances[service] ?? 1;
  const names = services.flatMap((service) =>
    Array.from({ length: countOf(service) }, (_, i): Instance => (i === 0 ? service : `${service}-${i + 1}`)),
  );
  const [inspectorPort, firstApiPort, ...apiPorts] = await freePorts(1 + Math.max(1, countOf('api')));
  const isShared = names.some((name) => name !== serviceOf(name));
  const masterKey = isShared ? { FERROLOG_MASTER_KEY: randomBytes(32).toString('base64') } : {};
  return new Map(
    names.map((name) => {
      const own = name === serviceOf(name) ? home : join(home, name);
      const apiPort = name.startsWith('api-') ? apiPorts.shift() : firstApiPort;
      const env: NodeJS.ProcessEnv = {
        ...cleanEnvironment(),
        ...masterKey,
        FERROLOG_CONFIG: join(own, 'ferrolog.conf'),
        FERROLOG_HOME: own,
        FERROLOG_API_PORT: String(apiPort),
        FERROLOG_INSPECTOR_PORT: String(inspectorPort),
        FERROLOG_SERVICES: services.join(','),
        ...(options.busPrefix === undefined ? {} : { FERROLOG_BUS_PREFIX: options.busPrefix }),
        ...(natsUrl === undefined ? {} : { NATS_URL: natsUrl }),
        ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
        ...options.env,
      };
      const host: Settings = own === home ? {} : { DEFAULT: { host: name } };
      return [name, { home: own, env, settings: mergeSettings(settings, host) }];
    }),
  );
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
    if (layout !== 'single' && options.natsUrl === undefined) {
      broker = await startBroker();
      guard.watch(broker.pid(), 'nats-server');
    }
    const places = await placesOf(home, options, options.natsUrl ?? broker?.url);
    stack = new RunningStack(home, places, layout, services, guard, broker, options.program ?? MAIN);
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
