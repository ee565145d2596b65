import { httpCall, until, type Answer } from '../stack';
import { OpenstackService } from './openstack-service';

const PROGRAM = '/usr/bin/ironic-inspector';
const DBSYNC = '/usr/bin/ironic-inspector-dbsync';

export const inspectorPrograms = { [PROGRAM]: 'ironic-inspector', [DBSYNC]: 'ironic-inspector' };

/** What the inspector shows of an introspection (contract: inspector-api.md §3.2). */
export interface Shown {
  readonly state: string;
  readonly finished: boolean;
  readonly error: string | null;
  readonly started_at: string;
}

const ends: readonly string[] = ['error', 'finished'];

/** Debian's ironic-inspector, alone on this host, with our API as its Ironic. */
export class IronicInspector {
  private constructor(
    private readonly service: OpenstackService,
    readonly url: string,
  ) {}

  static async start(port: number, apiUrl: string): Promise<IronicInspector> {
    const service = new OpenstackService((folder) => ({
      DEFAULT: {
        listen_address: '127.0.0.1',
        listen_port: String(port),
        auth_strategy: 'noauth',
        standalone: 'true',
        transport_url: 'fake://',
        introspection_delay: '0',
        clean_up_period: '5',
        use_stderr: 'true',
      },
      database: { connection: `sqlite:///${folder}/inspector.sqlite` },
      ironic: { auth_type: 'none', endpoint_override: apiUrl, max_retries: '5', retry_interval: '1' },
      processing: { store_data: 'database' },
      pxe_filter: { driver: 'noop' },
      oslo_concurrency: { lock_path: folder },
    }));
    const inspector = new IronicInspector(service, `http://127.0.0.1:${port}`);
    try {
      await service.run(DBSYNC, 'upgrade');
      await inspector.arrive();
      return inspector;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  /** Starts its process, with the database that it left behind. */
  arrive(): Promise<void> {
    return this.service.start(PROGRAM, `${this.url}/`);
  }

  /** As a machine that lost its power. */
  vanish(): Promise<void> {
    return this.service.kill(PROGRAM);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  logs(): string {
    return this.service.logs();
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' };
    return httpCall(this.url, { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  }

  async shown(uuid: string): Promise<Shown> {
    return (await this.call('GET', `/v1/introspection/${uuid}`)).json as Shown;
  }

  /** Waits until it shows the introspection in this state; a state that ends it is written before the rest of its ending is. */
  state(uuid: string, wanted: string): Promise<Shown> {
    return until(`the inspector has ${uuid} "${wanted}"`, async () => {
      const shown = await this.shown(uuid);
      return shown.state === wanted && shown.finished === ends.includes(wanted) && shown;
    });
  }
}
