/** contract: node-api.md §18 */
import { historyFields, historySummaryFields } from '@lib/contracts';
import { notFound } from '../faults';
import { ok, type Answer, type Call } from '../http';
import { fullSelection, nextLink, pageArguments, pageOf, type Selection } from '../lists';
import { findNode } from '../nodes';
import { renderDocument, type Document } from '../render';

export async function listHistory(call: Call): Promise<Answer> {
  call.query.only([...pageArguments, 'detail']);
  const detail = call.query.boolean('detail') ?? false;
  const asked = pageOf(call, historyFields, 'created_at');
  const { uuid } = await findNode(call);
  const stored = await call.services.readModel.list({
    kind: 'node_history',
    where: [{ column: 'node_uuid', is: 'equal', value: uuid }],
    sort: { column: asked.column, descending: asked.descending },
    limit: asked.limit,
    ...(asked.marker === undefined ? {} : { after: asked.marker }),
  });
  if (stored === null) throw notFound(`History entry ${asked.marker} could not be found.`);
  const history = stored.map((one) => render(call, uuid, JSON.parse(one.json) as Document, detail));
  const last = stored.at(-1);
  if (last === undefined || stored.length < asked.limit) return ok({ history });
  const path = `nodes/${uuid}/history`;
  return ok({ history, next: nextLink(call.publicUrl, { path, page: asked, detail: detail || undefined }, last.id) });
}

export async function showHistory(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  const entry = call.params['uuid'] ?? '';
  const [stored] = await call.services.readModel.get('node_history', [entry]);
  const document = stored && (JSON.parse(stored.json) as Document);
  if (!document || document['node_uuid'] !== uuid)
    throw notFound(`History entry ${entry} of node ${uuid} could not be found.`);
  return ok(render(call, uuid, document, true));
}

const summary = (minor: number): Selection =>
  fullSelection(historyFields, minor).filter((one) => historySummaryFields.has(one.name));

function render(call: Call, nodeUuid: string, document: Document, detail: boolean): Record<string, unknown> {
  const selection = detail ? fullSelection(historyFields, call.minor) : summary(call.minor);
  const href = `${call.publicUrl}/v1/nodes/${nodeUuid}/history/${String(document['uuid'])}`;
  const shown = renderDocument(document, selection, { links: [{ href, rel: 'self' }] });
  return detail ? shown : { ...shown, event: shortened(String(shown['event'] ?? '')) };
}

const EVENT_LENGTH_MAX = 255;

/** Summaries cut long texts; the entry itself has them whole. */
const shortened = (event: string): string =>
  event.length > EVENT_LENGTH_MAX ? `${event.slice(0, EVENT_LENGTH_MAX - 4)}...` : event;
