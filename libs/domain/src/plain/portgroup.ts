import { unreserved } from '../node/decide/guards';
import type { Node } from '../node/state';
import { storedMac } from '../port';
import { Refusal } from '../refusal';
import type { ResourceDocument } from '../resource';
import type { ProvisionState } from '../states';
import { ruleVersions } from '../versions';
import { checkLogicalName } from './names';
import type { PlainRules } from './rules';

/** States in which a group may go to another node (contract: other-resources.md §2). */
const movable: ReadonlySet<ProvisionState> = new Set(['enroll', 'inspecting', 'inspect wait', 'manageable']);

/** `/v1/portgroups/detail` is the list in detail: a group of that name could not be addressed by it. */
function checkName(name: unknown): void {
  checkLogicalName(name);
  if (name === 'detail') throw new Refusal('INVALID_PARAMETER', 'Invalid name: "detail" is reserved by the API.');
}

function stored(document: ResourceDocument): ResourceDocument {
  const { name, address, mode, physical_network: network } = document;
  if (name !== null && name !== undefined) checkName(name);
  if (mode === null || mode === '') throw new Refusal('INVALID_PARAMETER', 'A port group needs a mode.');
  if (network === '') throw new Refusal('INVALID_PARAMETER', 'The physical_network must not be empty.');
  return typeof address === 'string' ? { ...document, address: storedMac(address) } : document;
}

function assertMovable({ uuid, provisionState, fields }: Node): void {
  if (fields.maintenance || movable.has(provisionState)) return;
  throw new Refusal('STATE_CONFLICT', `Node ${uuid} is in state "${provisionState}": its port groups stay with it.`);
}

/** contract: other-resources.md §2 */
export const portgroupRules: PlainRules = {
  create: (document, { portgroupMode }) => stored({ ...document, mode: document['mode'] ?? portgroupMode }),
  change(before, after, { node, minor }) {
    if (node?.provisionState === 'inspecting' && minor >= ruleVersions.heldWhileInspecting) {
      const text = `Node ${node.uuid} is in state "inspecting". Its port groups can not be updated while it is inspecting.`;
      throw new Refusal('STATE_CONFLICT', text);
    }
    const document = stored(after);
    if (node) unreserved(node);
    if (node && before['node_uuid'] !== after['node_uuid']) assertMovable(node);
    return document;
  },
  remove(_, { node }) {
    if (node) unreserved(node);
  },
};
