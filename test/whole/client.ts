/** A client of the Bare Metal API, with the words that inspections need. Every answer is held against its description. */
import { answerProblems } from '../openapi';

export interface Seen {
  readonly status: number;
  readonly text: string;
  /** Undefined when it is empty. */
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface ShownEvent {
  readonly version: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly recorded_at: string;
}

export interface MachineOptions {
  readonly inspect?: 'agent' | 'inspector' | 'fake' | 'no-inspect' | 'redfish';
  /** Of its one port; none without. */
  readonly mac?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export const NEWEST = '1.115';

export const payload = (mac: string, more: Readonly<Record<string, unknown>> = {}): object => ({
  inventory: {
    interfaces: [{ name: 'eth0', mac_address: mac }],
    cpu: { architecture: 'x86_64' },
    bmc_address: null,
    ...more,
  },
});

const AGENT = { callback_url: 'https://192.0.2.10:9999', agent_version: '11.0.0' };

export class Client {
  constructor(
    readonly url: string,
    private readonly statuses: number[],
    /** Lets what an answer set off run, as far as it needs no time. */
    private readonly settle: () => Promise<void>,
  ) {}

  /** Sends, and returns when what follows from it without time passing has happened as well. `headers` replace the usual. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    version = NEWEST,
    headers?: Record<string, string>,
  ): Promise<Seen> {
    const answer = await this.send(method, path, body, version, headers);
    await this.settle();
    return answer;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    version = NEWEST,
    headers?: Record<string, string>,
  ): Promise<Seen> {
    const sent = {
      'X-OpenStack-Ironic-API-Version': version,
      ...(headers ?? (body === undefined ? {} : { 'Content-Type': 'application/json' })),
    };
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : JSON.stringify(body);
    const response = await fetch(`${this.url}${path}`, { method, headers: sent, body: bytes });
    const text = await response.text();
    this.statuses.push(response.status);
    const { status } = response;
    const problems = answerProblems({ method, path, status, headers: Object.fromEntries(response.headers), text });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return { status, text, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** As `call`; another status is a mistake of the spec. */
  async must(status: number, method: string, path: string, body?: unknown): Promise<Seen> {
    const answer = await this.call(method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  /** Enrolled and managed, with one port where a MAC is given. */
  async machine({ inspect = 'agent', mac, fields = {} }: MachineOptions = {}): Promise<string> {
    const node = { driver: 'fake-hardware', inspect_interface: inspect, ...fields };
    const { uuid } = (await this.must(201, 'POST', '/v1/nodes', node)).body as { uuid: string };
    if (mac !== undefined) await this.must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: mac });
    await this.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    return uuid;
  }

  /** A machine that waits for its ramdisk. */
  async waiting(options: MachineOptions = {}): Promise<string> {
    const uuid = await this.machine(options);
    await this.inspect(uuid);
    return uuid;
  }

  async inspect(uuid: string): Promise<void> {
    await this.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
  }

  provision(uuid: string, target: string, version = NEWEST): Promise<Seen> {
    return this.call('PUT', `/v1/nodes/${uuid}/states/provision`, { target }, version);
  }

  power(uuid: string, target: string): Promise<Seen> {
    return this.call('PUT', `/v1/nodes/${uuid}/states/power`, { target });
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async node(uuid: string): Promise<any> {
    return (await this.must(200, 'GET', `/v1/nodes/${uuid}`)).body;
  }

  async state(uuid: string): Promise<string> {
    return ((await this.node(uuid)) as { provision_state: string }).provision_state;
  }

  async events(uuid: string, type?: string): Promise<ShownEvent[]> {
    const { body } = await this.must(200, 'GET', `/ferrolog/v1/nodes/${uuid}/events`);
    return (body as { events: ShownEvent[] }).events.filter((event) => type === undefined || event.type === type);
  }

  /** Endings of the node's attempts, in order. */
  async endings(uuid: string): Promise<string[]> {
    const ends = /^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/;
    return (await this.events(uuid)).map(({ type }) => type).filter((type) => ends.test(type));
  }

  /** Oldest first. */
  async history(uuid: string): Promise<{ event: string; event_type: string; created_at: string }[]> {
    const { body } = await this.must(200, 'GET', `/v1/nodes/${uuid}/history?detail=true`);
    return (body as { history: { event: string; event_type: string; created_at: string }[] }).history;
  }

  inventory(uuid: string): Promise<Seen> {
    return this.call('GET', `/v1/nodes/${uuid}/inventory`);
  }

  lookup(uuid: string): Promise<Seen> {
    return this.call('GET', `/v1/lookup?node_uuid=${uuid}`);
  }

  /** Looks the node up; the token that its agent is given. */
  async token(uuid: string): Promise<string> {
    return ((await this.lookup(uuid)).body as { config: { agent_token: string } }).config.agent_token;
  }

  heartbeat(uuid: string, token: string, rest: Readonly<Record<string, unknown>> = {}): Promise<Seen> {
    return this.call('POST', `/v1/heartbeat/${uuid}`, { ...AGENT, agent_token: token, ...rest });
  }

  /** What a ramdisk posts. */
  data(mac: string, more: Readonly<Record<string, unknown>> = {}): Promise<Seen> {
    return this.call('POST', '/v1/continue_inspection', payload(mac, more));
  }
}
