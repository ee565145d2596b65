import { checkPortChange, checkPortRemoval, newPortDocument } from '../port';
import type { PortDocument, PortFields } from '../port';
import { Refusal } from '../refusal';
import type { Node } from '../node/state';
import type { PlainContext, PlainRules } from './rules';

function nodeOf({ node }: PlainContext): Node {
  if (!node) throw new Refusal('INVALID_PARAMETER', 'A port needs a node.');
  return node;
}

/** contract: other-resources.md §1 */
export const portRules: PlainRules = {
  create: (document, context) =>
    newPortDocument(document as PortFields, nodeOf(context).uuid, String(document['uuid'])),
  change: (before, after, context) =>
    checkPortChange(nodeOf(context), before as PortDocument, after as PortFields, context.minor),
  remove: (_, context) => checkPortRemoval(nodeOf(context)),
};
