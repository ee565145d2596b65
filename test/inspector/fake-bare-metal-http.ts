import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { applyPatch, type Operation } from 'fast-json-patch';

type Json = Record<string, unknown>;

interface Fault {
  readonly path: RegExp;
  readonly status: number;
  left: number;
}

/** As much of a Bare Metal API as an inspector uses: nodes and ports that keep what is written to them. */
export class FakeBareMetalHttp {
  readonly nodes = new Map<string, Json>();
  readonly ports = new Map<string, Json>();
  readonly calls: string[] = [];
  readonly versions = new Set<string>();
  /** Tokens that came; `none` where there was none. */
  readonly tokens = new Set<string>();
  readonly faults: Fault[] = [];
  url = '';
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  addNode(uuid: string, name: string, mac: string | null, fields: Json = {}): void {
    const blank = {
      driver_info: {},
      properties: {},
      extra: {},
      provision_state: 'inspect wait',
      power_state: 'power off',
    };
    this.nodes.set(uuid, { uuid, name, traits: [], ...blank, ...fields });
    if (mac)
      this.ports.set(`port-${mac}`, {
        uuid: `port-${mac}`,
        node_uuid: uuid,
        address: mac,
        pxe_enabled: true,
        extra: {},
      });
  }

  portsOf(uuid: string): Json[] {
    return [...this.ports.values()].filter((port) => port['node_uuid'] === uuid);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', this.url);
    this.calls.push(`${request.method} ${url.pathname}`);
    this.tokens.add(String(request.headers['x-auth-token'] ?? 'none'));
    this.versions.add(String(request.headers['x-openstack-ironic-api-version']));
    const text = Buffer.concat(chunks).toString();
    const [status, body] = this.answer(request.method ?? '', url, text === '' ? null : (JSON.parse(text) as unknown));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  private answer(method: string, url: URL, body: unknown): [number, unknown?] {
    const fault = this.faults.find(({ path, left }) => left > 0 && path.test(`${method} ${url.pathname}`));
    if (fault) {
      fault.left -= 1;
      return [fault.status, { error_message: JSON.stringify({ faultstring: `fault ${fault.status}` }) }];
    }
    const [, collection, ident = '', ...rest] = url.pathname.slice(1).split('/');
    if (collection === 'ports') return this.port(method, ident, url, body as Json);
    if (ident === '' && method === 'POST') return [201, this.enroll(body as Json)];
    if (ident === '') return [200, this.page(url)];
    const node = this.nodes.get(ident) ?? [...this.nodes.values()].find(({ name }) => name === ident);
    if (!node) return [404, { error_message: { faultstring: `Node ${ident} could not be found` } }];
    return this.node(method, node, rest, body);
  }

  private enroll(body: Json): Json {
    const uuid = `${String(this.nodes.size).padStart(8, '0')}-aaaa-4333-8444-555555555555`;
    this.addNode(uuid, '', null, { ...body, name: null, provision_state: 'enroll' });
    return this.nodes.get(uuid) ?? {};
  }

  private page(url: URL): Json {
    const uuids = [...this.nodes.keys()];
    const from = uuids.indexOf(url.searchParams.get('marker') ?? '') + 1;
    // Pages of two, whatever the limit: whoever lists has to follow `next`.
    const nodes = uuids.slice(from, from + 2).map((uuid) => ({ uuid }));
    return { nodes, ...(from + 2 < uuids.length ? { next: `${this.url}/v1/nodes?marker=${nodes.at(-1)?.uuid}` } : {}) };
  }

  private node(method: string, node: Json, [word, name = '']: string[], body: unknown): [number, unknown?] {
    if (word === undefined && method === 'GET') return [200, node];
    if (word === undefined) return this.patch(this.nodes, node, body);
    if (word === 'validate')
      return [200, { power: { result: node['driver'] !== 'broken', reason: 'no power address' } }];
    if (word === 'management') node['boot_device'] = body;
    if (word === 'management') return [204];
    if (word === 'traits') {
      const others = (node['traits'] as string[]).filter((trait) => trait !== name);
      node['traits'] = method === 'PUT' ? [...others, name] : others;
      return [204];
    }
    node['power_state'] = (body as Json)['target'] === 'power off' ? 'power off' : 'power on';
    return [202];
  }

  private port(method: string, ident: string, url: URL, body: Json): [number, unknown?] {
    const all = [...this.ports.values()];
    if (method === 'GET') {
      const [node, address] = [url.searchParams.get('node'), url.searchParams.get('address')];
      return [200, { ports: all.filter((port) => (node ? port['node_uuid'] === node : port['address'] === address)) }];
    }
    if (method === 'POST') {
      if (all.some((port) => port['address'] === body['address']))
        return [409, { error_message: { faultstring: 'exists' } }];
      const uuid = `port-${String(body['address'])}`;
      this.ports.set(uuid, { uuid, ...body });
      return [201, { uuid }];
    }
    if (method === 'DELETE') return [this.ports.delete(ident) ? 204 : 404];
    return this.patch(this.ports, this.ports.get(ident) ?? {}, body);
  }

  private patch(store: Map<string, Json>, document: Json, operations: unknown): [number, unknown] {
    const changed = applyPatch(document, operations as Operation[], true, false).newDocument;
    store.set(String(document['uuid']), changed);
    return [200, changed];
  }
}
