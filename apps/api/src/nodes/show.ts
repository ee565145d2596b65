/** contract: node-api.md §4, §9 */
import { nodeFields } from '@lib/contracts';
import type { ConductorRow, StoredDocument } from '@lib/ports';
import { badRequest, notFound } from '../faults';
import { jsonText, ok, type Answer, type Call } from '../http';
import { fieldsArgument, fullSelection, namedSelection, type Selection } from '../lists';
import { needsConductors, nodeTexts, renderStates, type PutIn } from '../render';
import { findNode, findStored } from './find';

export async function showNode(call: Call): Promise<Answer> {
  call.query.only(['fields']);
  const names = fieldsArgument(call, nodeFields);
  const selection =
    names === undefined ? fullSelection(nodeFields, call.minor) : namedSelection(nodeFields, call.minor, names);
  const stored = await findStored(call);
  const conductors = await conductorsFor(call, selection);
  const [text = ''] = nodeTexts([stored], call, { selection, conductors });
  return jsonText(200, text);
}

/** The full rendering as JSON text; `put` has what is shown otherwise than it is stored. */
export async function renderWhole(
  call: Call,
  stored: StoredDocument,
  put: Readonly<Record<string, PutIn>> = {},
): Promise<string> {
  const selection = fullSelection(nodeFields, call.minor);
  const conductors = await conductorsFor(call, selection);
  const [text = ''] = nodeTexts([stored], call, { selection, conductors, put });
  return text;
}

export async function conductorsFor(call: Call, selection: Selection): Promise<readonly ConductorRow[]> {
  return needsConductors(selection) ? call.services.conductors.all() : [];
}

export async function showStates(call: Call): Promise<Answer> {
  call.query.only([]);
  const { document } = await findNode(call);
  return ok(renderStates(document, call.minor));
}

/** What follows the ident and is no sub-resource is read as a field. */
export function refuseFieldSegment(call: Call): never {
  throw badRequest(`Field(s) '${call.params['garbage']}' is not a valid field.`);
}

export function refuseUnknownPart(): never {
  throw notFound('The requested part of the node could not be found.');
}
