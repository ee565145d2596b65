import { httpCall, until, type Answer } from '../stack';
import { OpenstackService } from './openstack-service';

const API = '/usr/bin/ironic-api';
const CONDUCTOR = '/usr/bin/ironic-conductor';
const DBSYNC = '/usr/bin/ironic-dbsync';

export const ironicPrograms = { [API]: 'ironic-api', [CONDUCTOR]: 'ironic-conductor', [DBSYNC]: 'ironic-common' };

/** `inspect wait` is seen, and what the simulator writes. */
const VERSION = '1.80';

export interface IronicNode {
  readonly uuid: string;
  readonly provision_state: string;
  readonly power_state: string | null;
  readonly last_error: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Debian's ironic-api and ironic-conductor, with fake hardware, and an inspector that the caller names. */
export class Ironic {
  private constructor(
    private readonly service: OpenstackService,
    readonly url: string,
  ) {}

  static async start(ports: { readonly api: number; readonly rpc: number }, inspectorUrl: string): Promise<Ironic> {
    const url = `http://127.0.0.1:${ports.api}`;
    const only = (name: string) => `enabled_${name}_interfaces`;
    const service = new OpenstackService((folder) => ({
      DEFAULT: {
        auth_strategy: 'noauth',
        rpc_transport: 'json-rpc',
        // The API calls the conductor at its host name.
        host: 'localhost',
        my_ip: '127.0.0.1',
        use_stderr: 'true',
        enabled_hardware_types: 'fake-hardware',
        [only('inspect')]: 'inspector,no-inspect',
        ...Object.fromEntries(['boot', 'deploy', 'management', 'power'].map((name) => [only(name), 'fake'])),
        ...Object.fromEntries(['network', 'storage'].map((name) => [only(name), 'noop'])),
        ...Object.fromEntries(
          ['bios', 'console', 'raid', 'rescue', 'vendor'].map((name) => [only(name), `no-${name}`]),
        ),
      },
      api: { host_ip: '127.0.0.1', port: String(ports.api), api_workers: '1' },
      json_rpc: { auth_strategy: 'noauth', host_ip: '127.0.0.1', port: String(ports.rpc) },
      conductor: { automated_clean: 'false', workers_pool_size: '20' },
      database: { connection: `sqlite:///${folder}/ironic.sqlite`, sqlite_synchronous: 'false' },
      inspector: {
        auth_type: 'none',
        endpoint_override: inspectorUrl,
        status_check_period: '1',
        require_managed_boot: 'false',
      },
      service_catalog: { auth_type: 'none', endpoint_override: url },
      oslo_concurrency: { lock_path: folder },
    }));
    try {
      await service.run(DBSYNC, 'create_schema');
      await Promise.all([service.start(API, `${url}/`), service.start(CONDUCTOR, `http://127.0.0.1:${ports.rpc}/`)]);
      return new Ironic(service, url);
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  logs(): string {
    return this.service.logs();
  }

  async must(status: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json', 'X-OpenStack-Ironic-API-Version': VERSION };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await httpCall(this.url, { method, path, headers, ...payload });
    if (answer.status !== status) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  }

  async node(uuid: string): Promise<IronicNode> {
    return (await this.must(200, 'GET', `/v1/nodes/${uuid}`)).json as IronicNode;
  }

  provision(uuid: string, target: string): Promise<Answer> {
    return this.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target });
  }

  /** A failed one with its reason, which Ironic stores after the state when it aborts. */
  state(uuid: string, wanted: string): Promise<IronicNode> {
    const isWhole = ({ last_error: reason }: IronicNode): boolean => wanted !== 'inspect failed' || reason !== null;
    const look = async (): Promise<IronicNode> => {
      const node = await this.node(uuid);
      if (node.provision_state === wanted && isWhole(node)) return node;
      throw new Error(`it is "${node.provision_state}", last_error ${JSON.stringify(node.last_error)}`);
    };
    return until(`Ironic has ${uuid} in "${wanted}"`, look, { timeoutMs: 60_000, everyMs: 300 });
  }
}
