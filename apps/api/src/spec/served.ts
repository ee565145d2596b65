/** Apis over HTTP with a real conductor, all in this process: what a request does is really carried out. */
import { openMemoryLog, type MemoryLog } from '@lib/adapters/event-log-memory';
import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { transportBox } from '@lib/adapters/secret-box';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { documentSchemas } from '@lib/contracts';
import { readSettings, type RawValue } from '@lib/contracts/settings';
import { BusError, type Clock, type MessageBus } from '@lib/ports';
import { openConductor, type WorldConductor } from '../../../../test/world/conductor';
import { Script } from '../../../../test/world/script';
import { scriptedHardware } from '../../../../test/world/scripted-hardware';
import { startApi, type RunningApi } from '../index';

const PREFIX = 'served';
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** The conductors' own, see test/world. */
const MASTER_KEY = new Uint8Array(32).fill(7);

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly minor?: number;
  /** Which api; the first unless given. */
  readonly api?: number;
}

export class Served {
  /** Moves on with the system's, from here. */
  private offsetMs = 0;
  readonly clock: Clock = { now: () => systemClock.now() + this.offsetMs, after: systemClock.after };
  readonly store: MemoryLog = openMemoryLog({ schemas: documentSchemas, clock: this.clock });
  readonly script = new Script();
  /** Words of commands that the apis cannot send. */
  readonly lost = new Set<string>();
  private readonly hub = new MemoryBusHub(systemClock);
  private readonly hardware = scriptedHardware(this.script, this.clock);
  private readonly apis: RunningApi[] = [];
  private conductor: WorldConductor | undefined;

  static async start(apis = 1): Promise<Served> {
    const served = new Served();
    await served.startConductor();
    await served.beat();
    for (let n = 0; n < apis; n += 1) await served.startApi();
    return served;
  }

  async startConductor(): Promise<void> {
    const { clock, hardware, store } = this;
    const { log, readModel, leases, keyStore } = store;
    const bus = this.hub.open();
    const place = {
      clock,
      chance: systemChance,
      logger: silent,
      bus,
      prefix: PREFIX,
      log,
      readModel,
      leases,
      keyStore,
    };
    this.conductor = await openConductor({ ...place, hardware }, {});
  }

  async stopConductor(): Promise<void> {
    await this.conductor?.stop();
    this.conductor = undefined;
  }

  async startApi(values: readonly RawValue[] = []): Promise<void> {
    const port = { section: 'api', name: 'port', text: '0', source: 'spec' };
    const { readModel, log: reader, liveness } = this.store;
    const { settings } = readSettings([port, ...values], { hostname: 'rack-1' });
    const { clock } = this;
    const transport = transportBox(MASTER_KEY, systemChance);
    const bus = this.lossy(this.hub.open());
    const chance = systemChance;
    const rest = { readModel, reader, liveness, clock, chance, logger: silent, abortGiveUpMs: 1_000 };
    this.apis.push(await startApi({ settings, bus, transport, prefix: PREFIX, ...rest }));
  }

  /** From now on it is so much later. */
  async passes(ms: number): Promise<void> {
    this.offsetMs += ms;
    await this.beat();
  }

  private async beat(): Promise<void> {
    const interfaces = { inspect: { default: 'fake', enabled: ['fake', 'agent'] } };
    const capabilities = JSON.stringify({ interfaces: { 'fake-hardware': interfaces } });
    const row = { id: 'id-1', createdAt: 0, hostname: 'conductor-1', conductorGroup: '', online: true };
    await this.store.liveness.beat({ ...row, drivers: ['fake-hardware'], capabilities }, this.clock.now());
  }

  async stop(): Promise<void> {
    for (const api of this.apis) await api.stop();
    await this.stopConductor();
    await this.store.close();
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, minor = 115, api = 0 }: Asked = {},
  ): Promise<Seen> {
    const sent: Record<string, string> = { 'X-OpenStack-Ironic-API-Version': `1.${minor}` };
    if (body !== undefined) sent['Content-Type'] = 'application/json';
    const response = await fetch(`${this.apis[api]?.url}${path}`, {
      method,
      headers: { ...sent, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  async node(fields: object = {}): Promise<string> {
    const { body } = await this.call('POST', '/v1/nodes', { driver: 'fake-hardware', ...fields });
    return body.uuid as string;
  }

  /** What the log has of a node. */
  async eventsOf(uuid: string): Promise<string[]> {
    return (await this.store.log.readStream(`node/${uuid}`, 0, 1000)).map(({ type }) => type);
  }

  private lossy(bus: MessageBus): MessageBus {
    const request: MessageBus['request'] = (subject, body, options) =>
      [...this.lost].some((word) => subject.includes(word))
        ? Promise.reject(new BusError('NO_RESPONDERS', 'lost'))
        : bus.request(subject, body, options);
    return Object.assign(Object.create(bus) as MessageBus, { request });
  }
}

export const faultOf = (seen: Seen): string =>
  (JSON.parse(seen.body.error_message as string) as { faultstring: string }).faultstring;
