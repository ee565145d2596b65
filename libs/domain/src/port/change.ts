import { sameJson } from '../json';
import { unreserved } from '../node/decide/guards';
import type { Node } from '../node/state';
import { Refusal } from '../refusal';
import type { ProvisionState } from '../states';
import { ruleVersions } from '../versions';
import { completePort } from './document';
import type { PortDocument, PortFields } from './document';

/** States in which a port may be plugged elsewhere; `available` is none of them (contract: other-resources.md §1). */
const pluggable: ReadonlySet<ProvisionState> = new Set(['enroll', 'inspecting', 'inspect wait', 'manageable']);

const plugFields = ['portgroup_uuid', 'pxe_enabled', 'local_link_connection', 'physical_network'] as const;

/**
 * A change of a port against the state of the node that it belongs to, in the contract's order (other-resources.md §1, PATCH).
 * `after` is the patched document; what is stored is the answer: defaults filled in, addresses in lower case.
 * `minor` is the request's minor version. Refuses with INVALID_PARAMETER, STATE_CONFLICT or NODE_LOCKED (which waits).
 */
export function checkPortChange(node: Node, before: PortDocument, after: PortFields, minor: number): PortDocument {
  // Older inspectors rely on writing while the node is inspecting (contract: inspection.md §1.3).
  if (node.provisionState === 'inspecting' && minor >= ruleVersions.heldWhileInspecting) {
    throw conflict(node, `Its ports can not be updated while it is inspecting.`);
  }
  if (!after.node_uuid) throw new Refusal('INVALID_PARAMETER', 'A port needs its node_uuid.');
  const stored = completePort(after, after.node_uuid, before.uuid);
  checkGroupNetwork(before, stored, minor);
  unreserved(node);
  checkAddress(node, before, stored);
  checkPlug(node, before, stored);
  return stored;
}

/** The members of a group share its physical network, so it is changed there. */
function checkGroupNetwork(before: PortDocument, after: PortDocument, minor: number): void {
  if (
    minor < ruleVersions.groupNetwork ||
    after.portgroup_uuid === null ||
    after.physical_network === before.physical_network
  )
    return;
  throw new Refusal('INVALID_PARAMETER', 'The physical_network of a port in a port group can not be changed.');
}

function checkAddress(node: Node, before: PortDocument, after: PortDocument): void {
  const { fields, provisionState } = node;
  const inUse = provisionState === 'active' || fields.instance_uuid !== null;
  if (after.address === before.address || !inUse || fields.maintenance) return;
  throw conflict(node, 'The address of a port can not be changed while the node is in use and not in maintenance.');
}

function checkPlug(node: Node, before: PortDocument, after: PortDocument): void {
  if (node.fields.maintenance || pluggable.has(node.provisionState)) return;
  const changed = plugFields.filter((field) => !sameJson(before[field], after[field]));
  if (changed.length === 0) return;
  throw conflict(node, `The ${changed.join(', ')} of a port can not be changed in this state.`);
}

const conflict = ({ uuid, provisionState }: Node, text: string): Refusal =>
  new Refusal('STATE_CONFLICT', `Node ${uuid} is in state "${provisionState}". ${text}`);

/** A port that moves stays with its owner (contract: other-resources.md §1). */
export function checkPortMove(from: Node, to: Node): void {
  if (from.fields.owner === to.fields.owner) return;
  throw new Refusal('INVALID_PARAMETER', `Node ${to.uuid} has another owner than node ${from.uuid}.`);
}

/** A removal waits for the work that holds the node (contract: other-resources.md §1). */
export function checkPortRemoval(node: Node): void {
  unreserved(node);
}

/**
 * A port that is created in a group, or enters one: a group without ports of their own takes none that boots by itself, and
 * all members are plugged into one network (contract: other-resources.md §1). `given` is what the client named.
 */
export function checkPortInGroup(
  given: Readonly<Record<string, unknown>>,
  port: PortDocument,
  group: Readonly<Record<string, unknown>>,
  members: readonly PortDocument[],
): void {
  if (given['pxe_enabled'] === true && group['standalone_ports_supported'] === false) {
    const text = `Port group ${String(group['uuid'])} does not support standalone ports, so pxe_enabled can not be true.`;
    throw new Refusal('STATE_CONFLICT', text);
  }
  const other = members.find(({ physical_network: network }) => network !== port.physical_network);
  if (!other) return;
  const text = `Port group ${String(group['uuid'])} is in physical network ${other.physical_network}, the port is not.`;
  throw new Refusal('STATE_CONFLICT', text);
}
