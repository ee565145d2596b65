import { randomUUID } from 'node:crypto';
import { openPostgresReader, type StoredLogReader } from '@lib/adapters/event-log-typeorm';
import { documentSchemas as schemas } from '@lib/contracts';
import { startBroker, type Broker } from '@lib/testing';
import { startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { Api, startStack, until, type Answer, type Settings, type Stack } from '../stack';

export const HEARTBEAT_TIMEOUT_S = 10;
/** The slow inspection takes longer than a lease, which is a quarter of the time above. */
const SLOW_INSPECTION_S = 4;

const SETTINGS: Settings = {
  DEFAULT: { host: 'conductor', enabled_inspect_interfaces: 'agent, fake, no-inspect' },
  conductor: { heartbeat_interval: '1', heartbeat_timeout: String(HEARTBEAT_TIMEOUT_S), inspect_wait_timeout: '1800' },
  inspector: { require_managed_boot: 'false' },
  fake: { inspect_delay: String(SLOW_INSPECTION_S) },
};

export type Conductor = 'conductor' | 'conductor-2';
export type Row = Readonly<Record<string, unknown>>;

export interface ShownConductor {
  readonly hostname: string;
  readonly alive: boolean;
  readonly updated_at: string;
}

/** Two conductors, two schedulers and two apis, each a process of its own, over one PostgreSQL log and one broker. */
export class Pair {
  readonly statuses: number[] = [];
  readonly apis: readonly [Api, Api];
  private turn = 0;

  private constructor(
    readonly stack: Stack,
    readonly server: ScratchPostgres,
    readonly broker: Broker,
    readonly log: StoredLogReader,
    private readonly databaseUrl: string,
  ) {
    const [first, second] = stack.apiUrls;
    this.apis = [new Api(first ?? ''), new Api(second ?? '')];
  }

  static async start(): Promise<Pair> {
    const server = await startPostgres();
    const broker = await startBroker();
    try {
      const databaseUrl = await server.createDatabase();
      const stack = await startStack({
        settings: SETTINGS,
        services: ['conductor', 'scheduler', 'api'],
        instances: { conductor: 2, scheduler: 2, api: 2 },
        natsUrl: broker.url,
        databaseUrl,
      });
      const log = await openPostgresReader({ url: databaseUrl, schemas, waitMs: 60_000 });
      return new Pair(stack, server, broker, log, databaseUrl);
    } catch (error) {
      await broker.stop();
      await server.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.log.close().catch(() => undefined);
    await this.stack.stop();
    await this.broker.stop();
    await this.server.stop();
  }

  /** The api whose turn it is, as a balancer without a memory chooses. */
  get next(): Api {
    return this.apis[this.turn++ % 2] as Api;
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.next.send(method, path, body);
    this.statuses.push(answer.status);
    return answer;
  }

  async must(status: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.next.must(status, method, path, body);
    this.statuses.push(answer.status);
    return answer;
  }

  /** As `must`, while conductors come and go: a refusal that says that nothing happened is tried again. */
  async insist(status: number, method: string, path: string, body?: unknown): Promise<Answer> {
    return until(`${method} ${path}`, async () => {
      const answer = await this.send(method, path, body);
      // A creation that was retried may find that it had happened.
      if (answer.status === status || (status === 201 && answer.status === 409)) return answer;
      throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`);
    });
  }

  /** A node of fake-hardware, created and sent to `manageable`; resolves with its uuid before it is there. */
  async managed(fields: object): Promise<string> {
    const uuid = randomUUID();
    const node = { driver: 'fake-hardware', inspect_interface: 'fake', ...fields, uuid };
    await this.insist(201, 'POST', '/v1/nodes', node);
    await this.insist(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    return uuid;
  }

  async manageable(fields: object): Promise<string> {
    const uuid = await this.managed(fields);
    await this.apis[0].state(uuid, 'manageable');
    return uuid;
  }

  inspect(uuid: string): Promise<Answer> {
    return this.insist(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
  }

  async conductors(api = this.next): Promise<ReadonlyMap<string, ShownConductor>> {
    const { json } = await api.must(200, 'GET', '/v1/conductors?detail=true');
    const { conductors } = json as { conductors: ShownConductor[] };
    return new Map(conductors.map((one) => [one.hostname, one]));
  }

  async query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = await this.server.connect(this.databaseUrl);
    try {
      return (await client.query(text, [...values])).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** The conductor that works on each of these nodes, as the leases say; waits until each has one. */
  holders(uuids: readonly string[]): Promise<ReadonlyMap<string, Conductor>> {
    const text = `SELECT e.stream_id, c.hostname FROM effects e JOIN conductors c ON c.id = e.owner
      WHERE e.stream_id = ANY($1)`;
    const streams = uuids.map((uuid) => `node/${uuid}`);
    return until('a worker for each node', async () => {
      const rows = await this.query(text, [streams]);
      if (rows.length < uuids.length) throw new Error(`${rows.length} of ${uuids.length} are being worked on`);
      return new Map(rows.map((row) => [String(row['stream_id']).slice(5), row['hostname'] as Conductor]));
    });
  }

  async rowsOf(hostname: string): Promise<Row[]> {
    return this.query('SELECT id, online FROM conductors WHERE hostname = $1', [hostname]);
  }
}
