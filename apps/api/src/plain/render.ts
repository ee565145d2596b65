import type { Call } from '../http';
import type { Selection } from '../lists';
import { linkPair, renderDocument, type Document } from '../render';
import type { PlainApi } from './plain-api';

export function renderResource(
  { declared, computed, shown }: PlainApi,
  document: Document,
  call: Call,
  selection: Selection,
): Record<string, unknown> {
  const uuid = String(document['uuid']);
  const links = linkPair(call.publicUrl, `${declared.path}/${uuid}`);
  const rendered = renderDocument(document, selection, { links, ...computed?.(call.publicUrl, uuid) });
  return shown ? shown(rendered, call, document) : rendered;
}
