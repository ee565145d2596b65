import type { StoredDocument } from '@lib/ports';
import type { Placed } from '../conductors/board';
import type { Call } from '../http';
import type { Selection } from '../lists';
import type { Document } from './document';
import { renderNode, type NodeRendering } from './node';

/**
 * Nodes as JSON text, from what is kept of earlier requests where that can be: most nodes are asked for more often than they
 * change. A text is used again only for the very document that it was made of, shown in the same way, so it is never an
 * old one.
 */
export function nodeTexts(stored: readonly StoredDocument[], call: Call, rendering: NodeRendering): string[] {
  const { kept, conductors } = call.services;
  const form = `${call.minor} ${call.publicUrl} ${formOf(rendering.selection)} `;
  const withHost = rendering.selection.some(({ name }) => name === 'conductor');
  const hostOf = (placed: Placed) => (withHost ? conductors.hostOf(placed, rendering.conductors) : null);
  return stored.map(({ id, json }) => {
    const key = form + id;
    const known = kept.find(key);
    if (known?.json === json && known.host === hostOf(known.placed)) return known.text;
    const document = JSON.parse(json) as Document;
    const { uuid, driver, conductor_group } = document;
    const placed = { uuid, driver, conductor_group };
    const text = JSON.stringify(renderNode(document, call, rendering));
    kept.keep(key, { json, placed, host: hostOf(placed), text });
    return text;
  });
}

const forms = new WeakMap<Selection, string>();

/** The names of a selection. One that shows all of a version is made once, and so is its form. */
function formOf(selection: Selection): string {
  const known = forms.get(selection) ?? selection.map(({ name }) => name).join();
  forms.set(selection, known);
  return known;
}
