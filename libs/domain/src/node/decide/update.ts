import { sameJson as same } from '../../json';
import { Refusal } from '../../refusal';
import { updateAllowed } from '../../states';
import type { ProvisionState } from '../../states';
import { ruleVersions } from '../../versions';
import type { Context, NodeCommand } from '../commands';
import type { EffectKind } from '../effects';
import type { NodeEvent } from '../events';
import { interfaceField, interfaceTypes } from '../fields';
import type { NodeFields } from '../fields';
import type { Node, NodeStream } from '../state';
import { checkOwnInspection } from '../retry';
import { existing, unreserved } from './guards';

type Update = Extract<NodeCommand, { type: 'Update' }>;

const interfacesFree: ReadonlySet<ProvisionState> = new Set([
  'enroll',
  'inspecting',
  'inspect wait',
  'manageable',
  'available',
]);

const conflict = (text: string): Refusal => new Refusal('STATE_CONFLICT', text);

/** State checks of PATCH in the contract's order (node-api.md §6), then what follows from the change. */
export function decideUpdate(command: Update, stream: NodeStream, { now }: Context): readonly NodeEvent[] {
  const node = existing(stream);
  if (!(node.fields.maintenance && command.onlyRemovesInstance)) checkState(node, command.minor);
  const after = consequences(node.fields, command.fields);
  if (!goesBeside(node, changedFields(node.fields, after))) unreserved(node);
  if (node.managed.consoleEnabled && after.driver !== node.fields.driver)
    throw conflict(`The driver of node ${node.uuid} can not be changed while its console is enabled.`);
  checkFlags(node, after);
  checkInterfaces(node, after, command.namedInterfaces);
  checkInstance(node, after);
  checkAllocation(node, after);
  checkResourceClass(node, after);
  checkOwnInspection(after.driver_info);
  const changed = changedFields(node.fields, after);
  const key = command.keyId === undefined ? {} : { keyId: command.keyId };
  return [{ type: 'NodeUpdated', data: { at: now, changed, ...key } }];
}

/** Calls that ask the machine's BMC for one thing, and leave nothing in the node's fields. */
const callsOfBmc: ReadonlySet<EffectKind> = new Set(['power', 'set boot device', 'manage']);

/** Fields that people and schedulers read, and no call to a BMC. */
const notForBmc: ReadonlySet<string> = new Set([
  'chassis_uuid',
  'description',
  'extra',
  'lessee',
  'name',
  'owner',
  'resource_class',
]);

/**
 * Whether an update of these fields goes on beside the work that has the node reserved: a slow BMC does not keep a node's owner
 * from writing (report LCK-05). While it is inspecting, whoever holds the node holds all of it (contract: inspection.md §16, 1.30).
 */
function goesBeside({ provisionState, reservation, effects }: Node, changed: Partial<NodeFields>): boolean {
  const holder = effects.find(({ n }) => n === reservation?.effect);
  if (!holder || provisionState === 'inspecting' || !callsOfBmc.has(holder.task.kind)) return false;
  return Object.keys(changed).every((field) => notForBmc.has(field));
}

function checkState({ uuid, provisionState, targetProvisionState }: Node, minor: number): void {
  const moving = targetProvisionState !== null && !(updateAllowed as ReadonlySet<string>).has(provisionState);
  if (moving) throw conflict(`Node ${uuid} can not be updated while a state transition is in progress.`);
  // Older inspectors rely on writing while the node is inspecting (contract: inspection.md §1.3).
  if (provisionState === 'inspecting' && minor >= ruleVersions.heldWhileInspecting)
    throw conflict(`Node ${uuid} can not be updated while it is inspecting.`);
}

/** Fields that a change of another one clears or fills (contract: node-api.md §6, side effects). */
function consequences(before: NodeFields, after: NodeFields): NodeFields {
  const displayName = after.instance_info['display_name'];
  const renamed = !same(after.instance_info, before.instance_info) && !after.instance_name;
  const named = renamed && typeof displayName === 'string' && displayName !== '';
  const ended = before.maintenance && !after.maintenance;
  return {
    ...after,
    ...(named ? { instance_name: displayName } : {}),
    ...(ended ? { maintenance_reason: null, fault: null } : {}),
    ...(before.protected && !after.protected ? { protected_reason: null } : {}),
    ...(before.retired && !after.retired ? { retired_reason: null } : {}),
  };
}

function checkFlags({ uuid, provisionState, fields }: Node, after: NodeFields): void {
  if (after.protected && !fields.protected && provisionState !== 'active' && provisionState !== 'rescue') {
    throw conflict(`Node ${uuid} can only be protected in state "active" or "rescue", not "${provisionState}".`);
  }
  if (after.protected_reason !== null && !after.protected) {
    throw new Refusal('INVALID_PARAMETER', 'The protected_reason field can only be set with protected=True.');
  }
  if (after.retired && !fields.retired && provisionState === 'available') {
    throw conflict(`Node ${uuid} can not be retired in state "available".`);
  }
  if (after.retired_reason !== null && !after.retired) {
    throw new Refusal('INVALID_PARAMETER', 'The retired_reason field can only be set with retired=True.');
  }
}

function checkInterfaces({ uuid, provisionState, fields }: Node, after: NodeFields, named: readonly string[]): void {
  if (fields.maintenance || interfacesFree.has(provisionState)) return;
  const changed = interfaceTypes
    .map(interfaceField)
    .find((field) => named.includes(field) && fields[field] !== after[field]);
  if (changed)
    throw conflict(`The ${changed} of node ${uuid} can not be changed while it is in state "${provisionState}".`);
}

function checkInstance({ uuid, fields }: Node, after: NodeFields): void {
  if (fields.instance_uuid !== null && after.instance_uuid !== null && fields.instance_uuid !== after.instance_uuid) {
    throw new Refusal(
      'NODE_ASSOCIATED',
      `Node ${uuid} is associated with instance ${fields.instance_uuid}; remove it first.`,
    );
  }
}

/** An allocation is deleted with the instance, where that may end; its owner is the node's (contract: §6, 4 and 12). */
function checkAllocation({ uuid, provisionState, fields, allocation }: Node, after: NodeFields): void {
  if (!allocation) return;
  if (allocation.owner !== null && after.owner !== fields.owner)
    throw conflict(`The owner of node ${uuid} can not be changed: its allocation ${allocation.uuid} has an owner.`);
  if (after.instance_uuid === null && !fields.maintenance && !interfacesFree.has(provisionState))
    throw conflict(`Node ${uuid} keeps allocation ${allocation.uuid} while it is in state "${provisionState}".`);
}

function checkResourceClass({ uuid, provisionState, fields }: Node, after: NodeFields): void {
  if (fields.resource_class === null || fields.resource_class === after.resource_class) return;
  if (!interfacesFree.has(provisionState)) {
    throw conflict(`The resource class of node ${uuid} can not be changed while it is in state "${provisionState}".`);
  }
}

/** Fields with another value than before. */
export function changedFields(before: NodeFields, after: NodeFields): Partial<NodeFields> {
  const entries = Object.entries(after).filter(([key, value]) => !same(value, before[key as keyof NodeFields]));
  return Object.fromEntries(entries) as Partial<NodeFields>;
}
