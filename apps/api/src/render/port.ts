import { vtepVersions } from '@lib/contracts';
import type { Call } from '../http';
import type { Selection } from '../lists';
import { renderDocument, type Document } from './document';
import { linkPair } from './links';

export function renderPort(document: Document, call: Call, selection: Selection): Record<string, unknown> {
  const links = linkPair(call.publicUrl, `ports/${String(document['uuid'])}`);
  const shown = renderDocument(document, selection, { links });
  if ('local_link_connection' in shown)
    shown['local_link_connection'] = shownLink(shown['local_link_connection'], call.minor);
  return shown;
}

/** A connection with vtep keys is shown to the versions that know them, others see none (contract: microversions.json, 90). */
function shownLink(link: unknown, minor: number): unknown {
  const known = minor >= vtepVersions.first && minor <= vtepVersions.last;
  const vtep = typeof link === 'object' && link !== null && 'vtep-logical-switch' in link;
  return vtep && !known ? {} : link;
}
