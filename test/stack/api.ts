import { answerProblems } from '../openapi';
import { httpCall, type Answer } from './http-call';
import { until, type Patience } from './until';

/** An event as `GET /ferrolog/v1/nodes/{uuid}/events` shows it. */
export interface ShownEvent {
  readonly position: number;
  readonly version: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly recorded_at: string;
}

export interface ShownNode {
  readonly uuid: string;
  readonly provision_state: string;
  readonly power_state: string | null;
  readonly last_error: string | null;
  readonly reservation: string | null;
  readonly maintenance: boolean;
}

/** Thrown where a test cannot go on without a certain answer. */
class UnexpectedAnswer extends Error {
  constructor(what: string, { status, text }: Answer) {
    super(`${what} answered ${status}: ${text.slice(0, 500)}`);
  }
}

const NEWEST = '1.115';

/**
 * The Bare Metal API as a test speaks it: each call on its own connection, at the newest version, each answer held against its
 * description.
 */
export class Api {
  constructor(private readonly url: string) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    timeoutMs?: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const headers = { 'X-OpenStack-Ironic-API-Version': NEWEST, 'Content-Type': 'application/json', ...more };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    const patience = timeoutMs === undefined ? {} : { timeoutMs };
    const answer = await httpCall(this.url, { method, path, headers, ...payload, ...patience });
    const problems = answerProblems({ method, path, ...answer });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return answer;
  }

  /** Sends, and throws unless the status is the wanted one. */
  async must(status: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.send(method, path, body);
    if (answer.status !== status) throw new UnexpectedAnswer(`${method} ${path}`, answer);
    return answer;
  }

  async node(uuid: string): Promise<ShownNode> {
    return (await this.must(200, 'GET', `/v1/nodes/${uuid}`)).json as ShownNode;
  }

  async events(uuid: string): Promise<ShownEvent[]> {
    const { json } = await this.must(200, 'GET', `/ferrolog/v1/nodes/${uuid}/events`);
    return (json as { events: ShownEvent[] }).events;
  }

  async history(uuid: string): Promise<Array<{ readonly event: string; readonly severity: string }>> {
    const { json } = await this.must(200, 'GET', `/v1/nodes/${uuid}/history`);
    return (json as { history: Array<{ event: string; severity: string }> }).history;
  }

  provision(uuid: string, target: string, timeoutMs?: number): Promise<Answer> {
    return this.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target }, timeoutMs);
  }

  state(uuid: string, wanted: string, patience?: Patience): Promise<ShownNode> {
    return until(
      `${uuid} in "${wanted}"`,
      async () => {
        const node = await this.node(uuid);
        if (node.provision_state === wanted) return node;
        throw new Error(`it is "${node.provision_state}", last_error ${JSON.stringify(node.last_error)}`);
      },
      patience,
    );
  }

  event(uuid: string, type: string, patience?: Patience): Promise<ShownEvent> {
    const look = async (): Promise<ShownEvent | undefined> =>
      (await this.events(uuid)).find((event) => event.type === type);
    return until(`${type} of ${uuid}`, look, patience);
  }
}
