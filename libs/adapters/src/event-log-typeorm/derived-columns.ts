import type { ColumnType, SchemaIndex } from '@lib/adapters/event-log-batch';
import { plainColumns } from '@lib/ports';
import type { DerivedRow, DerivedTable, Scalar } from '@lib/ports';
import { quoted } from './dialect';
import { tableOf } from './document-tables';
import type { SqlRow } from './sql';

/** A derived table as SQL names it. */
export interface SqlTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /** What identifies a row. */
  readonly keys: readonly string[];
  /** The column that the database counts up in the order of creation; null: rows have none. */
  readonly serial: string | null;
}

export function sqlTable(table: DerivedTable, schemas: SchemaIndex): SqlTable {
  if ('plain' in table) {
    const { keys, columns } = plainColumns[table.plain];
    return {
      name: table.plain,
      columns: Object.entries(columns),
      keys: Object.keys(columns).slice(0, keys),
      serial: table.plain === 'effects' ? 'opened' : null,
    };
  }
  const declared = Object.entries(schemas.get(table.kind)?.columns ?? {});
  return {
    name: tableOf(table.kind),
    columns: [['id', 'text'], ['version', 'integer'], ['json', 'text'], ...declared],
    keys: ['id'],
    serial: 'seq',
  };
}

/** All tables that derive from the log. */
export const allTables = (schemas: SchemaIndex): readonly DerivedTable[] => [
  ...[...schemas.keys()].map((kind) => ({ kind })),
  ...(Object.keys(plainColumns) as (keyof typeof plainColumns)[]).map((plain) => ({ plain })),
];

export const selected = ({ columns }: SqlTable): string => columns.map(([name]) => quoted(name)).join(', ');

export const toDerivedRow = (row: SqlRow, { columns }: SqlTable): DerivedRow =>
  Object.fromEntries(columns.map(([name, type]) => [name, scalar(row[name], type)]));

function scalar(value: unknown, type: ColumnType): Scalar {
  if (value === null || value === undefined) return null;
  if (type === 'boolean') return Number(value) === 1;
  return type === 'integer' ? Number(value) : String(value);
}
