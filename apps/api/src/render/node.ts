import { nodeStatesFields } from '@lib/contracts';
import type { ConductorRow } from '@lib/ports';
import type { Call } from '../http';
import type { Selection } from '../lists';
import type { Placed } from '../conductors/board';
import { renderDocument, shownState, type Document } from './document';
import { linkPair } from './links';

export interface NodeRendering {
  readonly selection: Selection;
  /** Rows of the conductors, needed when `conductor` is shown. */
  readonly conductors: readonly ConductorRow[];
}

/** A node as the request's version shows it. */
export function renderNode(
  document: Document,
  call: Call,
  { selection, conductors }: NodeRendering,
): Record<string, unknown> {
  const path = `nodes/${String(document['uuid'])}`;
  const shown = renderDocument(document, selection, computedOf(call, path, selection));
  if ('conductor' in shown)
    shown['conductor'] = call.services.conductors.hostOf(document as unknown as Placed, conductors);
  if ('provision_state' in shown) shown['provision_state'] = shownState(shown['provision_state'], call.minor);
  return shown;
}

const subLinks = ['ports', 'states', 'portgroups', 'volume'];

function computedOf(call: Call, path: string, selection: Selection): Record<string, unknown> {
  const links: Record<string, unknown> = { links: linkPair(call.publicUrl, path) };
  for (const { name } of selection) {
    if (subLinks.includes(name)) links[name] = linkPair(call.publicUrl, `${path}/${name}`);
  }
  return links;
}

export const needsConductors = (selection: Selection): boolean => selection.some((field) => field.name === 'conductor');

/** GET .../states: a part of the node (contract: node-api.md §9). */
export function renderStates(document: Document, minor: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, min] of nodeStatesFields) {
    if (min > minor) continue;
    const empty = name.endsWith('raid_config') ? {} : name === 'console_enabled' ? false : null;
    const value = document[name] ?? empty;
    shown[name] = name === 'provision_state' ? shownState(value, minor) : value;
  }
  return shown;
}
