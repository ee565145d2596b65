import { sameJson } from '../../json';
import { traitsAfter } from '../../traits';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { NodeStream } from '../state';
import { existing, unreserved } from './guards';

/** In every state, while nobody else works on the node (contract: node-api.md §15). */
export function decideTraits(
  command: Extract<NodeCommand, { type: 'ChangeTraits' }>,
  stream: NodeStream,
  { now }: Context,
): readonly NodeEvent[] {
  const node = existing(stream);
  unreserved(node);
  const traits = traitsAfter(node.traits, command.change);
  return sameJson(traits, node.traits) ? [] : [{ type: 'NodeTraitsChanged', data: { at: now, traits } }];
}
