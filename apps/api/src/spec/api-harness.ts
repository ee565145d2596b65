/** The whole api over HTTP against memory adapters and a scripted conductor. */
import { openMemoryLog, type MemoryLog } from '@lib/adapters/event-log-memory';
import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { documentSchemas } from '@lib/contracts';
import { readSettings, type RawValue } from '@lib/contracts/settings';
import type { Logger } from '@lib/ports';
import { startApi, type RunningApi } from '../index';
import { ConductorScript, TRANSPORT } from './conductor-script';

const PREFIX = 'apispec';

const capabilities = {
  interfaces: {
    'fake-hardware': {
      inspect: { default: 'fake', enabled: ['inspector', 'fake'] },
      power: { default: 'fake', enabled: ['fake'] },
    },
  },
};

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, undefined when it is empty. */
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  /** The JSON inside error_message. */
  readonly fault: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface Logged {
  readonly level: keyof Logger;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export class ApiHarness {
  private constructor(
    readonly api: RunningApi,
    readonly script: ConductorScript,
    readonly store: MemoryLog,
    readonly hub: MemoryBusHub,
    readonly logged: readonly Logged[],
  ) {}

  static async start(values: readonly RawValue[] = []): Promise<ApiHarness> {
    const store = openMemoryLog({ schemas: documentSchemas, clock: systemClock });
    const hub = new MemoryBusHub(systemClock);
    const script = new ConductorScript(store, () => systemClock.now());
    await script.serve(hub.open(), PREFIX);
    const row = {
      id: 'id-1',
      createdAt: 0,
      hostname: 'rack-1',
      conductorGroup: '',
      drivers: ['redfish', 'fake-hardware'],
      online: true,
    };
    await store.liveness.beat({ ...row, capabilities: JSON.stringify(capabilities) }, systemClock.now());
    const logged: Logged[] = [];
    const api = await startApi({
      settings: settingsOf(values),
      bus: hub.open(),
      transport: TRANSPORT,
      prefix: PREFIX,
      readModel: store.readModel,
      reader: store.log,
      liveness: store.liveness,
      clock: systemClock,
      chance: systemChance,
      logger: loggerInto(logged),
      abortGiveUpMs: 1_000,
    });
    return new ApiHarness(api, script, store, hub, logged);
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.store.close();
  }

  async call(
    method: string,
    path: string,
    version?: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Seen> {
    const sent: Record<string, string> = { ...headers };
    if (version !== undefined) sent['X-OpenStack-Ironic-API-Version'] = version;
    if (body !== undefined && sent['Content-Type'] === undefined) sent['Content-Type'] = 'application/json';
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${this.api.url}${path}`, { method, headers: sent, body: text, redirect: 'manual' });
    return seen(response.status, response.headers, await response.text());
  }

  get = (path: string, version?: string): Promise<Seen> => this.call('GET', path, version);

  /** A node in enroll, or where `changed` puts it. */
  async node(fields: Record<string, unknown> = {}, changed: Record<string, unknown> = {}): Promise<string> {
    const { body } = await this.call('POST', '/v1/nodes', '1.115', { driver: 'fake-hardware', ...fields });
    await this.script.set(body.uuid, changed);
    return body.uuid as string;
  }
}

function seen(status: number, headers: Headers, text: string): Seen {
  const body = text === '' ? undefined : JSON.parse(text);
  const message = body?.error_message;
  const fault = typeof message === 'string' && message.startsWith('{') ? JSON.parse(message) : undefined;
  return { status, headers, text, body, fault };
}

function settingsOf(values: readonly RawValue[]) {
  const port = { section: 'api', name: 'port', text: '0', source: 'spec' };
  const read = readSettings([port, ...values], { hostname: 'rack-1' });
  return read.settings;
}

function loggerInto(logged: Logged[]): Logger {
  const at = (level: keyof Logger) => (fields: Record<string, unknown>, message: string) =>
    void logged.push({ level, fields, message });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
