import { isObject, type JsonObject, listAt, objectAt } from '@lib/domain/introspection';
import {
  type BareMetalApi,
  BareMetalApiError,
  type JsonPatchStep,
  type NewPort,
  type NodeDiscovery,
  type NodeDocument,
  type PortDocument,
} from '@lib/usecases/simulated-inspector';
import type { KeptCalls } from '../calls';
import { type ApiAnswer, callsTo, faultText, request } from './request';

const PAGE = 1000;

const toNode = (document: JsonObject): NodeDocument => ({
  uuid: String(document['uuid']),
  name: typeof document['name'] === 'string' ? document['name'] : null,
  provisionState: String(document['provision_state']),
  driverInfo: objectAt(document, 'driver_info'),
  properties: objectAt(document, 'properties'),
  extra: objectAt(document, 'extra'),
  disablePowerOff: document['disable_power_off'] === true,
  document,
});

const toPort = (port: JsonObject): PortDocument => ({
  uuid: String(port['uuid']),
  address: String(port['address']),
  pxeEnabled: port['pxe_enabled'] === true,
});

/** The Bare Metal API over HTTP, as the inspector uses it. */
export class BareMetalHttp implements BareMetalApi, NodeDiscovery {
  private readonly api: KeptCalls;

  /** @param apiUrl root of the API, with or without its `/v1` */
  constructor(apiUrl: string) {
    this.api = callsTo(`${apiUrl.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`);
  }

  async node(ident: string): Promise<NodeDocument | null> {
    const answer = await this.call('GET', `/nodes/${encodeURIComponent(ident)}`, undefined, [404]);
    return answer.status === 404 || !isObject(answer.body) ? null : toNode(answer.body);
  }

  async powerProblem(uuid: string): Promise<string | null> {
    const { body } = await this.call('GET', `/nodes/${uuid}/validate`);
    const power = objectAt(body, 'power');
    return power['result'] === true ? null : String(power['reason'] ?? 'not supported');
  }

  async ports(uuid: string): Promise<PortDocument[]> {
    const { body } = await this.call('GET', `/ports/detail?node=${uuid}&limit=${PAGE}`);
    return listAt(body, 'ports').filter(isObject).map(toPort);
  }

  async setBootDevice(uuid: string, device: 'pxe', persistent: boolean): Promise<void> {
    await this.call('PUT', `/nodes/${uuid}/management/boot_device`, { boot_device: device, persistent });
  }

  async setPower(uuid: string, target: 'rebooting' | 'power off'): Promise<void> {
    await this.call('PUT', `/nodes/${uuid}/states/power`, { target });
  }

  async patchNode(uuid: string, patch: readonly JsonPatchStep[], resetInterfaces: boolean): Promise<void> {
    await this.call('PATCH', `/nodes/${uuid}${resetInterfaces ? '?reset_interfaces=true' : ''}`, patch);
  }

  async createPort(port: NewPort): Promise<boolean> {
    const body = {
      node_uuid: port.nodeUuid,
      address: port.address,
      pxe_enabled: port.pxeEnabled,
      extra: port.clientId === null ? {} : { 'client-id': port.clientId },
    };
    const answer = await this.call('POST', '/ports', body, [409]);
    if (answer.status !== 409) return true;
    // 409 says both "this MAC exists" and "the node is locked"; only the second one is worth another try.
    if (await this.portExists(port.address)) return false;
    throw new BareMetalApiError(409, faultText(answer.body));
  }

  async patchPort(uuid: string, patch: readonly JsonPatchStep[]): Promise<void> {
    await this.call('PATCH', `/ports/${uuid}`, patch);
  }

  async removePort(uuid: string): Promise<void> {
    await this.call('DELETE', `/ports/${uuid}`, undefined, [404]);
  }

  async addTrait(uuid: string, name: string): Promise<void> {
    await this.call('PUT', `/nodes/${uuid}/traits/${encodeURIComponent(name)}`);
  }

  async removeTrait(uuid: string, name: string): Promise<void> {
    await this.call('DELETE', `/nodes/${uuid}/traits/${encodeURIComponent(name)}`, undefined, [404]);
  }

  async nodeUuids(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    let marker: string | null = '';
    while (marker !== null) {
      const { body }: ApiAnswer = await this.call(
        'GET',
        `/nodes?fields=uuid&limit=${PAGE}${marker && `&marker=${marker}`}`,
      );
      const before = found.size;
      for (const node of listAt(body, 'nodes').filter(isObject)) found.add(String(node['uuid']));
      const more = isObject(body) && typeof body['next'] === 'string' && found.size > before;
      marker = more ? ([...found].at(-1) ?? null) : null;
    }
    return found;
  }

  async ownerOfPort(address: string): Promise<string | null> {
    const { body } = await this.call('GET', `/ports/detail?address=${encodeURIComponent(address)}`);
    const [port] = listAt(body, 'ports').filter(isObject);
    return port ? String(port['node_uuid']) : null;
  }

  async enroll(node: { readonly driver: string; readonly driverInfo: JsonObject }): Promise<NodeDocument> {
    const { body } = await this.call('POST', '/nodes', { driver: node.driver, driver_info: node.driverInfo });
    if (!isObject(body)) throw new BareMetalApiError(null, 'POST /nodes was answered without a node');
    return toNode(body);
  }

  private async portExists(address: string): Promise<boolean> {
    return (await this.ownerOfPort(address)) !== null;
  }

  /** @throws BareMetalApiError for every status of 400 and above that is not among the `allowed` ones. */
  private async call(
    method: string,
    path: string,
    body?: unknown,
    allowed: readonly number[] = [],
  ): Promise<ApiAnswer> {
    const answer = await request(this.api, method, path, body);
    if (answer.status < 400 || allowed.includes(answer.status)) return answer;
    throw new BareMetalApiError(
      answer.status,
      `${method} ${path} was answered ${answer.status}: ${faultText(answer.body)}`,
    );
  }
}
