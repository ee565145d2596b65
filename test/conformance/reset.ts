import { httpCall, sleep, type Answer } from '../stack';
import { dig } from './dig';
import { urlOf, versionHeader, type Target } from './target';

const RESET_TIMEOUT_MS = 60_000;
const VERSION = '1.41';
/** Other collections that scenarios fill, with the version that shows each. */
const COLLECTIONS: ReadonlyArray<readonly [name: string, version: string]> = [
  ['chassis', '1.41'],
  ['allocations', '1.52'],
  ['deploy_templates', '1.55'],
  ['inspection_rules', '1.96'],
];

interface ListedNode {
  readonly uuid: string;
  readonly provision_state?: string;
  readonly instance_uuid?: string | null;
}

const list = <T>(answer: Answer, key: string): T[] => {
  const found = dig(answer.json, key);
  return Array.isArray(found) ? (found as T[]) : [];
};

class Emptying {
  private readonly endMs = performance.now() + RESET_TIMEOUT_MS;

  constructor(private readonly base: string) {}

  send(method: string, path: string, body?: unknown, version = VERSION): Promise<Answer> {
    const headers = { ...versionHeader(version), 'Content-Type': 'application/json' };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    return httpCall(this.base, { method, path, headers, ...payload });
  }

  async nodes(): Promise<void> {
    for (;;) {
      const left = list<ListedNode>(await this.send('GET', '/v1/nodes?limit=1000'), 'nodes');
      if (left.length === 0) return;
      if (performance.now() > this.endMs) {
        throw new Error(`cannot empty the inventory: ${JSON.stringify(left.slice(0, 3))}`);
      }
      for (const node of left) await this.node(node);
      await sleep(50);
    }
  }

  async collection(name: string, version: string): Promise<void> {
    const answer = await this.send('GET', `/v1/${name}`, undefined, version);
    if (answer.status !== 200) return;
    for (const { uuid } of list<{ uuid: string }>(answer, name)) {
      await this.send('DELETE', `/v1/${name}/${uuid}`, undefined, version);
    }
  }

  /** A node that is being inspected gets half of the time to end by itself; after that maintenance lets it be deleted. */
  private async node({ uuid, provision_state: state, instance_uuid: instance }: ListedNode): Promise<void> {
    const path = `/v1/nodes/${uuid}`;
    if (state === 'inspect wait') await this.send('PUT', `${path}/states/provision`, { target: 'abort' });
    if (state === 'inspecting' && performance.now() < this.endMs - RESET_TIMEOUT_MS / 2) return;
    const { status } = await this.send('DELETE', path);
    if (status === 204 || status === 404) return;
    await this.send('PUT', `${path}/maintenance`, {});
    if (instance) await this.send('PATCH', path, [{ op: 'remove', path: '/instance_uuid' }]);
    await this.send('DELETE', path);
  }
}

/** Empties the inventory, so that every scenario starts from nothing. */
export const reset = async (target: Target): Promise<void> => {
  const emptying = new Emptying(urlOf(target, 'ironic'));
  await emptying.nodes();
  for (const [name, version] of COLLECTIONS) await emptying.collection(name, version);
};
