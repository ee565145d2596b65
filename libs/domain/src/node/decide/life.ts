import { Refusal } from '../../refusal';
import { deleteAllowed } from '../../states';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { NodeStream } from '../state';
import { checkOwnInspection } from '../retry';
import { existing, unreserved } from './guards';

export function decideEnroll(
  command: Extract<NodeCommand, { type: 'Enroll' }>,
  stream: NodeStream,
  { now }: Context,
): readonly NodeEvent[] {
  if (stream.node) throw new Refusal('DUPLICATE_UUID', `A node with UUID ${command.uuid} already exists.`);
  checkOwnInspection(command.fields.driver_info);
  const { uuid, fields, state, keyId } = command;
  return [{ type: 'NodeEnrolled', data: { at: now, uuid, fields, state, keyId } }];
}

/** Contract: node-api.md §7. In maintenance a delete never waits: it ends the open attempt first. */
export function decideRemove(stream: NodeStream, { now, policy }: Context): readonly NodeEvent[] {
  const node = existing(stream);
  const { fields, provisionState, uuid } = node;
  if (!fields.maintenance) {
    unreserved(node);
    if (fields.instance_uuid !== null) {
      throw new Refusal('NODE_ASSOCIATED', `Node ${uuid} is associated with instance ${fields.instance_uuid}.`);
    }
  }
  if (fields.protected) throw new Refusal('NODE_PROTECTED', `Node ${uuid} is protected and cannot be deleted.`);
  const allowed = [...deleteAllowed, ...(policy.allowDeletingAvailable ? (['available'] as const) : [])];
  if (!fields.maintenance && !allowed.includes(provisionState)) {
    const text = `Node ${uuid} cannot be deleted in state "${provisionState}". Valid states: ${allowed.join(', ')}.`;
    throw new Refusal('STATE_CONFLICT', text);
  }
  const removed: NodeEvent = { type: 'NodeRemoved', data: { at: now } };
  if (!node.inspection) return [removed];
  return [{ type: 'InspectionRemoved', data: { at: now, attempt: node.inspection.attempt } }, removed];
}
