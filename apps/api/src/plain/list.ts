import { detailGate } from '@lib/contracts';
import type { Condition } from '@lib/ports';
import { badRequest, tooNew } from '../faults';
import { jsonText, type Answer, type Call } from '../http';
import { fullSelection, listSelection, nextLink, pageArguments, pageOf, type ListSelection } from '../lists';
import { canonicalUuid, isUuidLike } from '../nodes';
import { unknown } from './find';
import type { PlainApi } from './plain-api';
import { resourceTexts } from './render';

/** Which part of a collection is listed, and where. */
export interface Part {
  /** Below /v1, as `next` repeats it. */
  readonly path: string;
  readonly where: readonly Condition[];
  readonly filters: readonly string[];
}

export const wholeCollection = ({ declared }: PlainApi): Part => ({
  path: declared.path,
  where: [],
  filters: declared.filters,
});

export function listResources(api: PlainApi, call: Call, part: Part): Promise<Answer> {
  call.query.only([...pageArguments, ...part.filters, 'fields', 'detail']);
  const { fields, listFields } = api.declared;
  return page(api, call, part, listSelection(call, fields, listFields, detailGate(api.declared)));
}

export function listResourcesInDetail(api: PlainApi, call: Call, part: Part): Promise<Answer> {
  call.query.only([...pageArguments, ...part.filters]);
  const selection = fullSelection(api.declared.fields, call.minor);
  return page(api, call, { ...part, path: `${part.path}/detail` }, { selection, detail: undefined, names: undefined });
}

async function page(api: PlainApi, call: Call, part: Part, chosen: ListSelection): Promise<Answer> {
  const { kind, fields, listKey } = api.declared;
  const asked = pageOf(call, fields);
  const given = part.filters.filter((name) => call.query.has(name));
  checkFilters(api, given, call.minor);
  const where = [...part.where, ...(await conditionsOf(api, call, given))];
  const { marker } = asked;
  if (marker !== undefined && !isUuidLike(marker))
    throw badRequest(`Expected a UUID for marker but received ${marker}.`);
  const stored = await call.services.readModel.list({
    kind,
    where,
    sort: { column: asked.column, descending: asked.descending },
    limit: asked.limit,
    ...(marker === undefined ? {} : { after: canonicalUuid(marker) }),
  });
  if (stored === null) throw unknown(api, marker ?? '');
  const items = resourceTexts(api, stored, call, chosen).join(',');
  const last = stored.at(-1);
  if (last === undefined || stored.length < asked.limit) return jsonText(200, `{"${listKey}":[${items}]}`);
  const filters = given.map((name) => [name, call.query.single(name) ?? ''] as const);
  const next = nextLink(call.publicUrl, { path: part.path, page: asked, filters, ...chosen }, last.id);
  return jsonText(200, `{"${listKey}":[${items}],"next":${JSON.stringify(next)}}`);
}

function checkFilters({ declared }: PlainApi, given: readonly string[], minor: number): void {
  for (const name of given) {
    const min = declared.filterMin[name] ?? 0;
    if (minor < min) throw tooNew(`the filter ${name}`, min);
  }
}

function conditionsOf(api: PlainApi, call: Call, given: readonly string[]): Promise<Condition[]> {
  if (api.conditions) return api.conditions(call, given);
  return Promise.resolve(
    given.map((column) => ({ column, is: 'equal', value: call.query.single(column) ?? '' }) as const),
  );
}
