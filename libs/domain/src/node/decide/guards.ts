import { Refusal } from '../../refusal';
import type { Node, NodeStream } from '../state';

export function existing(stream: NodeStream): Node {
  if (!stream.node) throw new Refusal('NODE_NOT_FOUND', 'The node could not be found.');
  return stream.node;
}

/** One text for everything that a ramdisk is told "no" for: it must not learn which (contract: inspection.md §6.2). */
export const notYours = (): Refusal => new Refusal('RESOURCE_NOT_FOUND', 'Resource could not be found.');

/** Work that excludes others: the command waits for its release, or gives up with 409 (architecture, rule 11). */
export function unreserved(node: Node, waits = true): void {
  if (!node.reservation) return;
  const text = `Node ${node.uuid} is locked by host ${node.reservation.host}, please retry after the current operation is completed.`;
  throw new Refusal('NODE_LOCKED', text, waits);
}
