import { setTimeout as pause } from 'node:timers/promises';
import type { ShownEvent } from '../node-events';
import { ApiFault, NoAnswer, faultText, request } from './request';

/** A node as the API shows it; only what the commands read. */
export interface ShownNode {
  readonly uuid: string;
  readonly name: string | null;
  readonly provision_state: string;
  readonly target_provision_state: string | null;
  readonly power_state: string | null;
  readonly target_power_state: string | null;
  readonly last_error: string | null;
}

/** As GET /ferrolog/v1/nodes/{ident}/deadline tells it. */
export interface ShownDeadline {
  readonly attempt: number;
  /** Which retry is waited for, of how many; null: it is no retry. */
  readonly retry: { readonly number: number; readonly of: number } | null;
  readonly due: string;
  /** Negative once it is overdue; of a paused one it stands still. */
  readonly remaining_seconds: number;
  readonly held: boolean;
  readonly overdue: boolean;
  readonly paused: boolean;
  readonly last_change: {
    readonly change: string;
    readonly at: string;
    readonly user: string | null;
    readonly request_id: string | null;
    readonly reason: string | null;
  } | null;
}

export interface BareMetalOptions {
  /** Root of the API, with or without `/v1`. */
  readonly url: string;
  /** Sent as X-Auth-Token. */
  readonly token?: string;
}

/** The newest version that is needed: inventories and history came before it. */
const MINOR_WANTED = 82;
const BUSY_TRIES = 10;
const BUSY_PAUSE_MS = 500;

/** The Bare Metal API of any server, as far as the standard goes; `events` is ferrolog's own. */
export class BareMetal {
  private constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Asks for the versions first. @throws NoAnswer, or Error when something else answers there */
  static async connect({ url, token }: BareMetalOptions): Promise<BareMetal> {
    const root = url.replace(/\/+$/, '').replace(/\/v1$/, '');
    const auth: Record<string, string> = token ? { 'X-Auth-Token': token } : {};
    const { status, headers } = await request('GET', `${root}/v1`, auth);
    const newest = /^1\.(\d+)$/.exec(headers.get('x-openstack-ironic-api-maximum-version') ?? '')?.[1];
    if (newest === undefined)
      throw new Error(`${root} is no Bare Metal API: it answers ${status} and names no version`);
    const version = `1.${Math.min(MINOR_WANTED, Number(newest))}`;
    return new BareMetal(root, { ...auth, 'X-OpenStack-Ironic-API-Version': version });
  }

  createNode(body: object): Promise<ShownNode> {
    return this.call<ShownNode>('POST', '/v1/nodes', body);
  }

  async createPort(body: object): Promise<void> {
    await this.call('POST', '/v1/ports', body);
  }

  node(uuid: string): Promise<ShownNode> {
    return this.call<ShownNode>('GET', `/v1/nodes/${encodeURIComponent(uuid)}`);
  }

  async provision(uuid: string, target: string): Promise<void> {
    await this.call('PUT', `/v1/nodes/${uuid}/states/provision`, { target });
  }

  async hasInventory(uuid: string): Promise<boolean> {
    const { status, body } = await this.ask('GET', `/v1/nodes/${uuid}/inventory`);
    if (status === 200 || status === 404) return status === 200;
    throw new ApiFault(status, faultText(body), `GET inventory of ${uuid}`);
  }

  async remove(uuid: string): Promise<void> {
    await this.call('DELETE', `/v1/nodes/${uuid}`);
  }

  async setMaintenance(uuid: string): Promise<void> {
    await this.call('PUT', `/v1/nodes/${uuid}/maintenance`, {});
  }

  /** The node's events with a version above `after`, oldest first, at most `limit` (1000). */
  async events(ident: string, after: number, limit = 1000): Promise<readonly ShownEvent[]> {
    const path = `/ferrolog/v1/nodes/${encodeURIComponent(ident)}/events?after=${after}&limit=${limit}`;
    return (await this.call<{ events: readonly ShownEvent[] }>('GET', path)).events;
  }

  /** Until when the node waits; null: under no deadline. */
  async deadline(ident: string): Promise<ShownDeadline | null> {
    return (await this.call<{ deadline: ShownDeadline | null }>('GET', deadlinePath(ident))).deadline;
  }

  /** `change` is the body that the API takes. */
  async changeDeadline(ident: string, change: object): Promise<ShownDeadline | null> {
    return (await this.call<{ deadline: ShownDeadline | null }>('PUT', deadlinePath(ident), change)).deadline;
  }

  private ask(method: string, path: string, body?: object) {
    return request(method, `${this.url}${path}`, this.headers, body);
  }

  /** A node that is locked and a server that is not ready are asked again, a bounded number of times. */
  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.ask(method, path, body);
      if (answer.status < 400) return answer.body as T;
      const text = faultText(answer.body);
      const busy = answer.status === 503 || (answer.status === 409 && /lock/i.test(text));
      if (!busy || tries >= BUSY_TRIES) throw new ApiFault(answer.status, text, `${method} ${path}`);
      await pause(BUSY_PAUSE_MS);
    }
  }
}

const deadlinePath = (ident: string): string => `/ferrolog/v1/nodes/${encodeURIComponent(ident)}/deadline`;

export { NoAnswer };
