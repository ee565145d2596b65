import type { NodeEvent } from './events';
import type { Node } from './state';

/** The allocation is the node's instance, and says what of the node it relies on. */
export function allocated(
  node: Node,
  { allocation, traits }: Extract<NodeEvent, { type: 'NodeAllocated' }>['data'],
): Node {
  const instance_info = { ...node.fields.instance_info, traits };
  return { ...node, allocation, fields: { ...node.fields, instance_uuid: allocation.uuid, instance_info } };
}

/** Whatever ends the instance ends the allocation. */
export const withoutEndedAllocation = (node: Node | null): Node | null =>
  node?.allocation && node.fields.instance_uuid === null ? { ...node, allocation: null } : node;
