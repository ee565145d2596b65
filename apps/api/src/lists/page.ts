/**
 * Paging and sorting, the same for every list.
 * contract: node-api.md §5
 */
import type { Field } from '@lib/contracts';
import { badRequest, tooNew } from '../faults';
import type { Call } from '../http';

export const pageArguments = ['limit', 'marker', 'sort_key', 'sort_dir'] as const;

export interface Page {
  readonly limit: number;
  readonly marker: string | undefined;
  readonly sortKey: string;
  /** The column behind the key: `id` is the order of creation. */
  readonly column: string;
  readonly descending: boolean;
}

export function pageOf(call: Call, fields: readonly Field[], defaultKey = 'id'): Page {
  const sortKey = call.query.single('sort_key') ?? defaultKey;
  checkSortKey(sortKey, fields, call.minor);
  return {
    limit: limitOf(call),
    marker: call.query.single('marker'),
    sortKey,
    column: sortKey === 'id' ? 'seq' : sortKey,
    descending: descendingOf(call),
  };
}

function limitOf(call: Call): number {
  const asked = call.query.integer('limit');
  const max = call.services.settings.api.max_limit;
  if (asked === undefined) return max;
  if (asked <= 0) throw badRequest('Limit must be positive.');
  return Math.min(asked, max);
}

function checkSortKey(key: string, fields: readonly Field[], minor: number): void {
  if (key === 'id') return;
  const field = fields.find((one) => one.name === key);
  if (!field?.sortable) throw badRequest(`The sort_key value "${key}" is an invalid field for sorting.`);
  if (field.min > minor) throw tooNew(`the sort_key ${key}`, field.min);
}

function descendingOf(call: Call): boolean {
  const direction = call.query.single('sort_dir') ?? 'asc';
  if (direction !== 'asc' && direction !== 'desc')
    throw badRequest(`Invalid sort direction: ${direction}. Acceptable values are 'asc' or 'desc'.`);
  return direction === 'desc';
}

export interface NextOf {
  readonly path: string;
  readonly page: Page;
  /** Filters in force as they are to be repeated. */
  readonly filters?: readonly (readonly [name: string, value: string])[];
  readonly detail?: boolean | undefined;
  readonly names?: readonly string[] | undefined;
}

/** The address of the page after the item `marker`. */
export function nextLink(publicUrl: string, next: NextOf, marker: string): string {
  const { page, filters = [], detail, names } = next;
  const parts = [
    `sort_key=${page.sortKey}`,
    `sort_dir=${page.descending ? 'desc' : 'asc'}`,
    ...filters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
    ...(detail === undefined ? [] : [`detail=${pythonBoolean(detail)}`]),
    ...(names === undefined ? [] : [`fields=${names.join(',')}`]),
    `limit=${page.limit}`,
    `marker=${encodeURIComponent(marker)}`,
  ];
  return `${publicUrl}/v1/${next.path}?${parts.join('&')}`;
}

/** Booleans in links are written as the field writes them. */
export const pythonBoolean = (value: boolean): string => (value ? 'True' : 'False');
