import { nodeFields, nodeStatesFields, shownStates } from '@lib/contracts';
import type { ConductorRow, StoredDocument } from '@lib/ports';
import type { Call } from '../http';
import type { Selection } from '../lists';
import type { Placed } from '../conductors/board';
import { shownState, type Document } from './document';
import { linkPair } from './links';
import { renderTexts, type PutIn } from './texts';

export interface NodeRendering {
  readonly selection: Selection;
  /** Rows of the conductors, needed when `conductor` is shown. */
  readonly conductors: readonly ConductorRow[];
  /** Fields that are shown otherwise than they are stored. */
  readonly put?: Readonly<Record<string, PutIn>>;
}

const subLinks = ['ports', 'states', 'portgroups', 'volume'];

/** Nodes as the request's version shows them, as JSON texts. */
export function nodeTexts(stored: readonly StoredDocument[], call: Call, rendering: NodeRendering): string[] {
  const { selection, conductors, put = {} } = rendering;
  const { minor, publicUrl, services } = call;
  return renderTexts(stored, {
    fields: nodeFields,
    selection,
    publicUrl,
    computed: (id) => ({
      links: linkPair(publicUrl, `nodes/${id}`),
      ...Object.fromEntries(subLinks.map((name) => [name, linkPair(publicUrl, `nodes/${id}/${name}`)])),
    }),
    put: {
      conductor: (read) => services.conductors.hostOf(placedOf(read), conductors),
      ...(hidesStates(minor) ? { provision_state: (read) => shownState(read('provision_state'), minor) } : {}),
      ...put,
    },
  });
}

const hidesStates = (minor: number): boolean => shownStates.some(({ below }) => minor < below);

const placedOf = (read: (name: string) => unknown): Placed => ({
  uuid: read('uuid'),
  driver: read('driver'),
  conductor_group: read('conductor_group'),
});

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
