import { Refusal } from '../../refusal';
import type { Node, NodeStream } from '../state';

export function existing(stream: NodeStream): Node {
  if (!stream.node) throw new Refusal('NODE_NOT_FOUND', 'The node could not be found.');
  return stream.node;
}

/** Work that excludes others: the command waits for its release, or gives up with 409 (architecture, rule 11). */
export function unreserved(node: Node, waits = true): void {
  if (!node.reservation) return;
  const text = `Node ${node.uuid} is locked by host ${node.reservation.host}, please retry after the current operation is completed.`;
  throw new Refusal('NODE_LOCKED', text, waits);
}
