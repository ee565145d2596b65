/** The whole stack with fake hardware, on one clock, and the things in it that the tests ask for. */
import { openHardwareRegistry } from '@lib/adapters/hardware-registry';
import { systemChance } from '@lib/adapters/system-clock';
import { Whole, PREFIX } from '../whole';
import { NEWEST } from './facts';
import { Http, type Seen } from './http';
import { wrongWith } from './shape';

const every = 'fake';

const settings = {
  DEFAULT: {
    enabled_hardware_types: 'fake-hardware,manual-management',
    enabled_bios_interfaces: every,
    enabled_boot_interfaces: every,
    enabled_console_interfaces: every,
    enabled_deploy_interfaces: every,
    enabled_firmware_interfaces: every,
    enabled_inspect_interfaces: 'fake,agent,no-inspect',
    enabled_management_interfaces: every,
    enabled_network_interfaces: 'noop',
    enabled_power_interfaces: every,
    enabled_raid_interfaces: every,
    enabled_rescue_interfaces: every,
    enabled_storage_interfaces: 'noop,fake',
    enabled_vendor_interfaces: every,
    default_conductor_group: 'rack',
  },
  conductor: { automated_clean: false, conductor_group: 'rack', node_locked_retry_attempts: 0 },
  inspector: { require_managed_boot: false, power_off: false },
} as const;

const hardwareOptions = {
  /** Of a time that does not pass here. */
  inspectDelay: { firstSeconds: 30, secondSeconds: null },
  inspectorTimeoutMs: 10_000,
  inspectorOverHttp: null,
  requireManagedBoot: false,
  ramdisk: { apiUrl: 'http://127.0.0.1:6385', extraKernelParameters: [], forceDhcp: true, fastTrack: false },
  inspectorEndpoint: 'http://127.0.0.1:5050',
  pxe: { tftpRoot: '/nonexistent', httpRoot: '/nonexistent', httpUrl: null, deployKernel: null, deployRamdisk: null },
} as const;

export class Bed {
  private counter = 0;

  private constructor(
    private readonly whole: Whole,
    readonly url: string,
    private readonly http: Http,
  ) {}

  static async start(): Promise<Bed> {
    const whole = await Whole.start({
      settings,
      hardware: (clock, bus, logger) =>
        openHardwareRegistry({ bus, prefix: PREFIX, settings: hardwareOptions, clock, chance: systemChance, logger }),
    });
    const { url } = await whole.api();
    return new Bed(whole, url, new Http(url));
  }

  /** Position of the last event. */
  head(): Promise<number> {
    return this.whole.stored.log.head();
  }

  async stop(): Promise<void> {
    this.http.close();
    await this.whole.stop();
  }

  /** A number of its own for each name and address. */
  get next(): number {
    this.counter += 1;
    return this.counter;
  }

  get mac(): string {
    const hex = this.next.toString(16).padStart(6, '0');
    return `52:54:00:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4)}`;
  }

  /** Asks in a version, looks whether the answer has the shape that every answer has, and lets what it set off happen. */
  async ask(method: string, path: string, minor: number = NEWEST, body?: unknown): Promise<Seen> {
    const seen = await this.raw(method, path, { 'X-OpenStack-Ironic-API-Version': `1.${minor}` }, body);
    const wrong = wrongWith(seen, method, minor);
    if (wrong.length > 0) throw new Error(`${method} ${path} at 1.${minor} answered with ${wrong.join('; ')}`);
    return seen;
  }

  /** Asks with headers of one's own, and looks at nothing. */
  async raw(method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown): Promise<Seen> {
    const seen = await this.http.send({ method, path, headers, body });
    if (method !== 'GET' && method !== 'HEAD') await this.whole.settle();
    return seen;
  }

  /** As `ask`, at the newest version; another status is a mistake of the tests. */
  async must(status: number, method: string, path: string, body?: unknown): Promise<Seen> {
    const seen = await this.ask(method, path, NEWEST, body);
    if (seen.status !== status) throw new Error(`${method} ${path}: ${seen.status} ${seen.text}`);
    return seen;
  }

  async create(path: string, body: object): Promise<string> {
    return String(((await this.must(201, 'POST', path, body)).body as { uuid: string }).uuid);
  }

  node(fields: object = {}): Promise<string> {
    return this.create('/v1/nodes', { driver: 'fake-hardware', inspect_interface: 'fake', ...fields });
  }

  port(node: string, fields: object = {}): Promise<string> {
    return this.create('/v1/ports', { node_uuid: node, address: this.mac, ...fields });
  }

  async provision(node: string, target: string, more: object = {}): Promise<void> {
    await this.must(202, 'PUT', `/v1/nodes/${node}/states/provision`, { target, ...more });
  }

  /** A new node, led by these verbs. */
  async led(verbs: readonly string[], fields: object = {}): Promise<string> {
    const node = await this.node(fields);
    for (const verb of verbs) {
      await this.provision(node, verb, verb === 'rescue' ? { rescue_password: 'secret' } : {});
    }
    return node;
  }

  /** A node whose inspection takes time that does not pass, with a port and a port group. */
  async inspecting(): Promise<{ readonly node: string; readonly port: string; readonly group: string }> {
    const node = await this.node();
    const port = await this.port(node);
    const group = await this.create('/v1/portgroups', { node_uuid: node });
    await this.provision(node, 'manage');
    await this.provision(node, 'inspect');
    return { node, port, group };
  }

  async state(node: string): Promise<string> {
    return String(
      ((await this.must(200, 'GET', `/v1/nodes/${node}`)).body as { provision_state: string }).provision_state,
    );
  }
}
