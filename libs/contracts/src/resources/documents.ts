/**
 * The read model's kinds: which scalars of a document are columns. Derived from the field tables, so that a column
 * cannot be forgotten where a list filters or sorts.
 */
import type { Field } from './field';
import { nodeFields } from './node';
import { plainKinds, plainResources, type PlainKind } from './plain';
import { historyFields } from './read-only';
import { storable } from './storable-text';

type ColumnType = 'text' | 'integer' | 'boolean';

/** The shape of the read model port's DocumentSchema, as plain data. */
export interface DocumentTable {
  readonly kind: DocumentKindName;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly indexed: readonly string[];
}

export type DocumentKindName = 'node' | 'node_history' | 'node_inventory' | 'node_parts' | 'bmc_address' | PlainKind;

const columns = (fields: readonly Field[]): Record<string, ColumnType> =>
  Object.fromEntries(fields.flatMap((one) => (one.column === null ? [] : [[one.name, one.column]])));

/** Texts that are searched without regard to case have a second column, in lower case. */
export const SEARCHED_DESCRIPTION = 'description_lower';

/** What a list filters on or another resource is found by has an index. */
function plainTable(kind: PlainKind): DocumentTable {
  const { fields, unique, ofNode, references, filters } = plainResources[kind];
  const own = columns(fields);
  const indexed = new Set([
    ...(ofNode ? ['node_uuid'] : []),
    ...unique.flatMap((key) => key.fields),
    ...references.map(({ field }) => field),
    ...filters.filter((name) => name in own),
  ]);
  const searched: Record<string, ColumnType> = 'description' in own ? { [SEARCHED_DESCRIPTION]: 'text' } : {};
  return { kind, columns: { ...own, ...searched }, indexed: [...indexed] };
}

export const documentSchemas = [
  {
    kind: 'node',
    columns: { ...columns(nodeFields), [SEARCHED_DESCRIPTION]: 'text' },
    indexed: [
      'name',
      'instance_uuid',
      'provision_state',
      'driver',
      'conductor_group',
      'resource_class',
      'parent_node',
      'chassis_uuid',
    ],
  },
  ...plainKinds.map(plainTable),
  {
    kind: 'node_history',
    columns: { node_uuid: 'text', ...columns(historyFields) },
    indexed: ['node_uuid'],
  },
  /** Id is the node's uuid; the document is {"inventory": hash, "plugin_data": hash} of two blobs. */
  { kind: 'node_inventory', columns: {}, indexed: [] },
  /** Id is the node's uuid; the document is {"bios": [...], "firmware": [...]} as biosFields and firmwareFields name it. */
  { kind: 'node_parts', columns: {}, indexed: [] },
  /** By which BMC addresses a ramdisk finds a node that waits for it; ids are `<node uuid>/<address>`. */
  { kind: 'bmc_address', columns: { node_uuid: 'text', address: 'text' }, indexed: ['node_uuid', 'address'] },
] as const satisfies readonly DocumentTable[];

const tables: ReadonlyMap<DocumentKindName, readonly string[]> = new Map(
  documentSchemas.map((one: DocumentTable) => [one.kind, Object.keys(one.columns)]),
);

/** The columns of a document: the named scalars, null where the document has none. */
export function columnsOf(
  kind: DocumentKindName,
  document: Readonly<Record<string, unknown>>,
): Record<string, string | number | boolean | null> {
  const row: Record<string, string | number | boolean | null> = {};
  for (const name of tables.get(kind) ?? []) {
    const value = name === SEARCHED_DESCRIPTION ? inLowerCase(document['description']) : document[name];
    const scalar = typeof value === 'number' || typeof value === 'boolean';
    row[name] = typeof value === 'string' ? storable(value) : scalar ? value : null;
  }
  return row;
}

const inLowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
