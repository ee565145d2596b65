/** contract: node-api.md §5 */
import { nodeFields, nodeListFields } from '@lib/contracts';
import type { Condition } from '@lib/ports';
import { badRequest, notFound } from '../faults';
import { nodeTexts } from '../render';
import { jsonText, ok, type Answer, type Call } from '../http';
import { fullSelection, listSelection, nextLink, pageArguments, pageOf, type ListSelection, type Page } from '../lists';
import { filterNames, nodeFilters, type Filters } from './filters';
import { findNode, parseDocument } from './find';
import { canonicalUuid, isUuidLike } from './idents';
import { conductorsFor } from './show';

export async function listNodes(call: Call): Promise<Answer> {
  call.query.only([...pageArguments, ...filterNames, 'fields', 'detail']);
  const chosen = listSelection(call, nodeFields, nodeListFields);
  return page(call, 'nodes', chosen, nodeFilters(call, { detailPath: false }));
}

export async function listNodesInDetail(call: Call): Promise<Answer> {
  call.query.only([...pageArguments, ...filterNames]);
  const selection = fullSelection(nodeFields, call.minor);
  const chosen = { selection, detail: undefined, names: undefined };
  return page(call, 'nodes/detail', chosen, nodeFilters(call, { detailPath: true }));
}

/** The nodes of another resource, in its own collection. */
export function listNodesOf(call: Call, path: string, where: readonly Condition[], detail: boolean): Promise<Answer> {
  call.query.only([...pageArguments, ...(detail ? [] : ['fields', 'detail'])]);
  const whole = { selection: fullSelection(nodeFields, call.minor), detail: undefined, names: undefined };
  const chosen = detail ? whole : listSelection(call, nodeFields, nodeListFields);
  const place = detail ? `${path}/detail` : path;
  return page(call, place, chosen, { where, conductor: undefined, repeated: [], single: false });
}

async function assertChassis(call: Call, uuid: string): Promise<void> {
  const [stored] = isUuidLike(uuid) ? await call.services.readModel.get('chassis', [canonicalUuid(uuid)]) : [];
  if (!stored) throw notFound(`Chassis ${uuid} could not be found.`);
}

async function page(call: Call, path: string, chosen: ListSelection, filters: Filters): Promise<Answer> {
  const asked = pageOf(call, nodeFields);
  if (call.query.has('chassis_uuid')) await assertChassis(call, call.query.single('chassis_uuid') ?? '');
  const found = await nodesOfPage(call, asked, filters.where);
  const rows = await conductorsFor(call, chosen.selection);
  const serving = filters.conductor === undefined ? [] : await call.services.conductors.all();
  const kept =
    filters.conductor === undefined
      ? found
      : found.filter(
          (stored) =>
            call.services.conductors.hostOf(parseDocument(stored).document as never, serving) === filters.conductor,
        );
  const rendering = { selection: chosen.selection, conductors: rows };
  const nodes = nodeTexts(kept, call, rendering).join(',');
  const last = found.at(-1);
  if (filters.single || last === undefined || found.length < asked.limit) return jsonText(200, `{"nodes":[${nodes}]}`);
  const next = nextLink(call.publicUrl, { path, page: asked, filters: filters.repeated, ...chosen }, last.id);
  return jsonText(200, `{"nodes":[${nodes}],"next":${JSON.stringify(next)}}`);
}

async function nodesOfPage(call: Call, asked: Page, where: readonly Condition[]) {
  const { marker } = asked;
  if (marker !== undefined && !isUuidLike(marker))
    throw badRequest(`Expected a UUID for marker but received ${marker}.`);
  const stored = await call.services.readModel.list({
    kind: 'node',
    where,
    sort: { column: asked.column, descending: asked.descending },
    limit: asked.limit,
    ...(marker === undefined ? {} : { after: canonicalUuid(marker) }),
  });
  if (stored === null) throw notFound(`Node ${marker} could not be found.`);
  return stored;
}

/** GET .../children (contract: node-api.md §20). */
export async function listChildren(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  const where = [{ column: 'parent_node', is: 'equal', value: uuid }] as const;
  const sort = { column: 'seq', descending: false };
  const limit = call.services.settings.api.max_limit;
  const found = (await call.services.readModel.list({ kind: 'node', where, sort, limit })) ?? [];
  const links = { href: `${call.publicUrl}/v1/nodes?parent_node=${uuid}`, rel: 'children' };
  return ok({ children: found.map((one) => one.id), links });
}
