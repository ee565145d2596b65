import { bmcHostOf, isObject, type JsonObject, listAt, objectAt, parseIp, textAt } from '@lib/domain/introspection';
import { pacedBody, readBootFile } from '../boot-files';
import type { BootFiles } from '../boot-files';
import type { RamdiskHost, WaitingNode } from '@lib/usecases/simulated-ramdisk';

const TIMEOUT_MS = 30_000;
/** The oldest version that hands out tokens (contract: ramdisk.md §4). */
const AGENT_VERSION = '1.68';
const OPERATOR_VERSION = '1.82';
const NODES_MAX = 1000;

const underV1 = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;

const waitingQuery = `provision_state=inspect%20wait&limit=${NODES_MAX}`;

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

  /** @param apiUrl root of the API, with or without its `/v1` */
  constructor(
    apiUrl: string,
    private readonly bootFiles: BootFiles | null,
  ) {
    this.base = underV1(apiUrl);
  }

  async waiting(): Promise<readonly WaitingNode[]> {
    const { status, body } = await this.call('GET', `/nodes/detail?${waitingQuery}`, OPERATOR_VERSION);
    if (status !== 200) throw new Error(`the list of waiting nodes was answered ${status}`);
    const nodes = listAt(body, 'nodes').filter(isObject);
    return nodes.filter((node) => node['inspect_interface'] === 'agent').map(toWaiting);
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

  bootFile(managedBoot: string, macs: readonly string[]): Promise<string | null> {
    return this.bootFiles ? readBootFile(this.bootFiles, managedBoot, macs) : Promise.resolve(null);
  }

  async lookUp(macs: readonly string[], api: string | null): Promise<{ status: number; token: string | null }> {
    const path = `/lookup?addresses=${macs.join(',')}`;
    const { status, body } = await this.call('GET', path, AGENT_VERSION, undefined, this.at(api));
    const token = textAt(objectAt(body, 'config'), 'agent_token');
    return { status, token: token !== null && token.length >= 32 ? token : null };
  }

  async heartbeat(uuid: string, token: string, api: string | null): Promise<number> {
    const body = { callback_url: 'https://192.0.2.9:9999', agent_token: token, agent_version: 'simulated' };
    const path = `/heartbeat/${uuid}`;
    return (await this.call('POST', path, AGENT_VERSION, JSON.stringify(body), this.at(api))).status;
  }

  /** Without a version, as the real ramdisk does it (contract: ramdisk.md §3). */
  async post(body: string, url: string | null, overMs: number): Promise<number> {
    const path = url === null ? '/continue_inspection' : '';
    return (await this.call('POST', path, null, body, url ?? this.base, overMs)).status;
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
    overMs = 0,
  ): Promise<{ status: number; body: unknown }> {
    const headers = {
      Accept: 'application/json',
      ...(version === null ? {} : { 'X-OpenStack-Ironic-API-Version': version }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS + overMs);
    const sent = body === undefined ? {} : pacedBody(body, overMs);
    const response = await fetch(`${base}${path}`, { method, headers, ...sent, signal });
    const text = await response.text();
    try {
      return { status: response.status, body: JSON.parse(text) as unknown };
    } catch {
      return { status: response.status, body: null };
    }
  }
}
