/** contract: other-resources.md §8 */
import { conductorFields, conductorListFields } from '@lib/contracts';
import type { ConductorRow } from '@lib/ports';
import { badRequest, notFound } from '../faults';
import { ok, type Answer, type Call } from '../http';
import {
  fieldsArgument,
  fullSelection,
  listSelection,
  namedSelection,
  nextLink,
  pageArguments,
  pageOf,
  type Page,
  type Selection,
} from '../lists';
import { isoTime, linkPair } from '../render';

export async function listConductors(call: Call): Promise<Answer> {
  call.query.only([...pageArguments, 'fields', 'detail']);
  const chosen = listSelection(call, conductorFields, conductorListFields);
  const asked = pageOf(call, conductorFields);
  const page = pageOfRows(await call.services.conductors.all(), asked);
  const conductors = page.map((row) => render(call, row, chosen.selection));
  const last = page.at(-1);
  if (last === undefined || page.length < asked.limit) return ok({ conductors });
  return ok({
    conductors,
    next: nextLink(call.publicUrl, { path: 'conductors', page: asked, ...chosen }, last.hostname),
  });
}

function pageOfRows(rows: readonly ConductorRow[], asked: Page): ConductorRow[] {
  const sorted = rows
    .map((row, seq) => ({ row, key: sortValue(row, asked.sortKey), seq }))
    .sort((a, b) => compare(a.key, b.key) || a.seq - b.seq);
  const ordered = (asked.descending ? sorted.reverse() : sorted).map((one) => one.row);
  const from = asked.marker === undefined ? 0 : ordered.findIndex((row) => row.hostname === asked.marker) + 1;
  if (asked.marker !== undefined && from === 0) throw notFound(`Conductor ${asked.marker} could not be found.`);
  return ordered.slice(from, from + asked.limit);
}

function sortValue(row: ConductorRow, key: string): string | number {
  switch (key) {
    case 'hostname':
      return row.hostname;
    case 'conductor_group':
      return row.conductorGroup;
    case 'updated_at':
      return row.updatedAt;
    case 'id':
    case 'created_at':
      return row.createdAt;
    default:
      throw badRequest(`The sort_key value "${key}" is an invalid field for sorting.`);
  }
}

const compare = (a: string | number, b: string | number): number => (a === b ? 0 : a < b ? -1 : 1);

export async function showConductor(call: Call): Promise<Answer> {
  call.query.only(['fields']);
  const names = fieldsArgument(call, conductorFields);
  const hostname = call.params['hostname'] ?? '';
  const row = (await call.services.conductors.all()).find((one) => one.hostname === hostname);
  if (!row) throw notFound(`Conductor ${hostname} could not be found.`);
  const selection =
    names === undefined
      ? fullSelection(conductorFields, call.minor)
      : namedSelection(conductorFields, call.minor, names);
  return ok(render(call, row, selection));
}

function render(call: Call, row: ConductorRow, selection: Selection): Record<string, unknown> {
  const all: Record<string, unknown> = {
    hostname: row.hostname,
    conductor_group: row.conductorGroup,
    alive: call.services.conductors.alive(row),
    drivers: [...row.drivers].sort(),
    created_at: isoTime(row.createdAt),
    updated_at: isoTime(row.updatedAt),
    links: linkPair(call.publicUrl, `conductors/${row.hostname}`),
  };
  return Object.fromEntries(selection.map((field) => [field.name, all[field.name]]));
}
