import { bmcHostOf, isObject, type JsonObject, listAt, objectAt, parseIp, textAt } from '@lib/domain/introspection';
import { readBootFile } from '../boot-files';
import type { BootFiles } from '../boot-files';
import { call, KeptCalls } from '../calls';
import { postAsRamdisk } from '../ramdisk-post';
import type { LookupAnswer, RamdiskHost, WaitingNode } from '@lib/usecases/simulated-ramdisk';

const TIMEOUT_MS = 30_000;
/** The newest versions that the agent asks with, and what it takes where the API names none (contract: ramdisk.md §4, §5). */
const LOOKUP_MINOR = 62;
const HEARTBEAT_MINOR = 68;
const UNDETECTED_MINOR = 31;
const OPERATOR_VERSION = '1.82';
const NODES_MAX = 1000;

const underV1 = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;

const waitingQuery = `provision_state=inspect%20wait&limit=${NODES_MAX}`;
const rootOf = (base: string): string => `${base.replace(/\/v1$/, '')}/`;

const toWaiting = (node: JsonObject): WaitingNode => {
  const host = bmcHostOf(objectAt(node, 'driver_info'));
  return {
    uuid: String(node['uuid']),
    boot: String(node['inspection_started_at']),
    extra: objectAt(node, 'extra'),
    managedBoot:
      objectAt(node, 'driver_internal_info')['inspector_manage_boot'] === true ? textAt(node, 'boot_interface') : null,
    // A ramdisk reads an address out of its BMC, never a name.
    bmcAddress: host !== null && parseIp(host) ? host : null,
  };
};

/** What ramdisks ask of the Bare Metal API over HTTP. Which machines have booted is seen with an operator's eyes. */
export class RamdiskHttp implements RamdiskHost {
  private readonly base: string;
  private readonly api: KeptCalls;
  /** Minor version of each API that was asked. */
  private readonly minors = new Map<string, number>();

  /** @param apiUrl root of the API, with or without its `/v1` */
  constructor(
    apiUrl: string,
    private readonly bootFiles: BootFiles | null,
  ) {
    this.base = underV1(apiUrl);
    this.api = new KeptCalls(this.base, TIMEOUT_MS);
  }

  async waiting(): Promise<readonly WaitingNode[]> {
    const found = new Map<string, WaitingNode>();
    for (let marker: string | null = ''; marker !== null;) {
      const path: string = `/nodes/detail?${waitingQuery}${marker && `&marker=${marker}`}`;
      const { status, body } = await this.call('GET', path, OPERATOR_VERSION);
      if (status !== 200) throw new Error(`the list of waiting nodes was answered ${status}`);
      const nodes = listAt(body, 'nodes').filter(isObject);
      for (const node of nodes.filter((each) => each['inspect_interface'] === 'agent')) {
        found.set(String(node['uuid']), toWaiting(node));
      }
      const last = nodes.at(-1)?.['uuid'];
      marker = isObject(body) && typeof body['next'] === 'string' && typeof last === 'string' ? last : null;
    }
    return [...found.values()];
  }

  async macsOf(uuid: string): Promise<readonly string[]> {
    const { body } = await this.call('GET', `/ports/detail?node=${uuid}&limit=${NODES_MAX}`, OPERATOR_VERSION);
    const ports = listAt(body, 'ports').filter(isObject);
    const bootingFirst = [...ports].sort((a, b) => Number(b['pxe_enabled']) - Number(a['pxe_enabled']));
    return bootingFirst.map((port) => String(port['address']));
  }

  async stateOf(uuid: string): Promise<string | null> {
    const { status, body } = await this.call('GET', `/nodes/${uuid}?fields=provision_state`, OPERATOR_VERSION);
    if (status === 404) return null;
    const state = textAt(body, 'provision_state');
    if (state === null) throw new Error(`the state of node ${uuid} was answered ${status}`);
    return state;
  }

  async isRunning(uuid: string): Promise<boolean> {
    const { status, body } = await this.call('GET', `/nodes/${uuid}?fields=power_state`, OPERATOR_VERSION);
    return status !== 404 && textAt(body, 'power_state') !== 'power off';
  }

  bootFile(managedBoot: string, macs: readonly string[]): Promise<string | null> {
    return this.bootFiles ? readBootFile(this.bootFiles, managedBoot, macs) : Promise.resolve(null);
  }

  async lookUp(macs: readonly string[], api: string | null): Promise<LookupAnswer> {
    const base = this.at(api);
    this.minors.set(base, await this.detected(base));
    const path = `/lookup?addresses=${macs.join(',')}`;
    const { status, body } = await this.call('GET', path, this.version(base, LOOKUP_MINOR), undefined, base);
    const timeoutS = objectAt(body, 'config')['heartbeat_timeout'];
    return {
      status,
      uuid: textAt(objectAt(body, 'node'), 'uuid'),
      token: textAt(objectAt(body, 'config'), 'agent_token'),
      heartbeatTimeoutMs: typeof timeoutS === 'number' && timeoutS > 0 ? timeoutS * 1000 : null,
    };
  }

  async heartbeat(uuid: string, token: string, api: string | null): Promise<number> {
    const body = { callback_url: 'https://192.0.2.9:9999', agent_token: token, agent_version: 'simulated' };
    const base = this.at(api);
    const version = this.version(base, HEARTBEAT_MINOR);
    return (await this.call('POST', `/heartbeat/${uuid}`, version, JSON.stringify(body), base)).status;
  }

  post(body: string, url: string | null, overMs: number): Promise<number | 'timed out'> {
    return postAsRamdisk(url ?? `${this.base}/continue_inspection`, body, overMs);
  }

  /** The API's own version, as its table of versions tells it. */
  private async detected(base: string): Promise<number> {
    try {
      const { body } = await this.call('GET', '', null, undefined, rootOf(base));
      const [, minor] = /^1\.(\d{1,4})$/.exec(textAt(objectAt(body, 'default_version'), 'version') ?? '') ?? [];
      return minor === undefined ? UNDETECTED_MINOR : Number(minor);
    } catch {
      return UNDETECTED_MINOR;
    }
  }

  private version(base: string, minorMax: number): string {
    return `1.${Math.min(minorMax, this.minors.get(base) ?? UNDETECTED_MINOR)}`;
  }

  private at(api: string | null): string {
    return api === null ? this.base : underV1(api);
  }

  private async call(
    method: string,
    path: string,
    version: string | null,
    body?: string,
    base = this.base,
  ): Promise<{ status: number; body: unknown }> {
    const headers = {
      Accept: 'application/json',
      ...(version === null ? {} : { 'X-OpenStack-Ironic-API-Version': version }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const ask = { method, headers, ...(body === undefined ? {} : { body }) };
    const { status, text } = await (base === this.base
      ? this.api.call({ ...ask, path })
      : call({ ...ask, url: `${base}${path}`, timeoutMs: TIMEOUT_MS }));
    try {
      return { status, body: JSON.parse(text) as unknown };
    } catch {
      return { status, body: null };
    }
  }
}
