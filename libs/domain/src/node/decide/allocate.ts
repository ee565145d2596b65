import { misfit } from '../../allocation';
import type { Candidate } from '../../allocation';
import { Refusal } from '../../refusal';
import { updateAllowed } from '../../states';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { existing, unreserved } from './guards';

const candidateOf = ({ uuid, fields, traits, provisionState, powerState }: Node): Candidate => ({
  ...fields,
  uuid,
  traits,
  provision_state: provisionState,
  power_state: powerState,
});

/**
 * The node is given to an allocation (contract: other-resources.md §10). Refuses with NODE_LOCKED, with NODE_ASSOCIATED
 * where it has another instance or allocation, and with STATE_CONFLICT where it is not what is asked for.
 */
export function decideAllocate(
  { request, inUse }: Extract<NodeCommand, { type: 'Allocate' }>,
  stream: NodeStream,
  { now: at }: Context,
): readonly NodeEvent[] {
  const node = existing(stream);
  const { uuid, fields, allocation } = node;
  unreserved(node);
  if (allocation) throw new Refusal('NODE_ASSOCIATED', `Node ${uuid} belongs to allocation ${allocation.uuid}.`);
  const reason = misfit(candidateOf(node), request, inUse);
  if (reason !== null) throw new Refusal('STATE_CONFLICT', `Node ${uuid} can not be allocated: ${reason}.`);
  if (fields.instance_uuid !== null && fields.instance_uuid !== request.uuid) {
    const text = `Node ${uuid} is associated with instance ${fields.instance_uuid}, not with ${request.uuid}.`;
    throw new Refusal('NODE_ASSOCIATED', text);
  }
  const { owner, traits } = request;
  return [{ type: 'NodeAllocated', data: { at, allocation: { uuid: request.uuid, owner }, traits } }];
}

const isMoving = ({ provisionState, targetProvisionState }: Node): boolean =>
  targetProvisionState !== null && !(updateAllowed as ReadonlySet<string>).has(provisionState);

/** The end of the node's allocation; that of its instance comes with it. */
export function decideRelease(stream: NodeStream, { now }: Context): readonly NodeEvent[] {
  const node = existing(stream);
  const { uuid, fields, allocation, provisionState } = node;
  if (!allocation) return [];
  if (!fields.maintenance && (provisionState === 'active' || isMoving(node))) {
    const text = `Allocation ${allocation.uuid} can not be deleted while node ${uuid} is in state "${provisionState}".`;
    throw new Refusal('STATE_CONFLICT', text);
  }
  unreserved(node);
  const { traits: _, ...instanceInfo } = fields.instance_info;
  return [{ type: 'NodeUpdated', data: { at: now, changed: { instance_uuid: null, instance_info: instanceInfo } } }];
}
