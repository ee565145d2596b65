import { documentSchemas } from '@lib/contracts';
import { plainColumns } from '@lib/ports';
import type { Change, DerivedRow, DerivedTable, PlainTable, RebuiltRow, Scalar } from '@lib/ports';

type Put = Extract<Change, { change: 'put' }>;
type Trim = Extract<Change, { change: 'trim' }>;

export const tableName = (table: DerivedTable): string => ('kind' in table ? table.kind : table.plain);

/** Identifies a row in its table. */
export function rowKey(table: DerivedTable, row: DerivedRow): string {
  if ('kind' in table) return String(row['id']);
  const { keys, columns } = plainColumns[table.plain];
  return Object.keys(columns)
    .slice(0, keys)
    .map((column) => String(row[column]))
    .join(' ');
}

const declared: ReadonlyMap<string, readonly string[]> = new Map(
  documentSchemas.map(({ kind, columns }) => [kind, Object.keys(columns)]),
);

function documentRow({ kind, id, version, json, columns }: Put): DerivedRow {
  const all = (declared.get(kind) ?? []).map((column): [string, Scalar] => [column, columns[column] ?? null]);
  return { id, version, json, ...Object.fromEntries(all) };
}

/** The derived rows of one stream, moved on by changes as the stores are. */
export class RowSet {
  private readonly tables = new Map<string, Map<string, RebuiltRow>>();

  /** `position` is that of the first event of the append that the changes came with. */
  apply(changes: readonly Change[], position: number): void {
    changes.forEach((change, index) => this.applyOne(change, position, index));
  }

  put(table: DerivedTable, row: DerivedRow, position: number, index: number): void {
    const rows = this.table(tableName(table));
    const key = rowKey(table, row);
    const there = rows.get(key);
    rows.set(key, { table, row, position: there?.position ?? position, index: there?.index ?? index });
  }

  /** In the order in which they were created. */
  rows(): RebuiltRow[] {
    return [...this.tables.values()]
      .flatMap((rows) => [...rows.values()])
      .sort((a, b) => a.position - b.position || a.index - b.index);
  }

  private applyOne(change: Change, position: number, index: number): void {
    switch (change.change) {
      case 'put':
        return this.put({ kind: change.kind }, documentRow(change), position, index);
      case 'remove':
        return void this.table(change.kind).delete(change.id);
      case 'removeWhere':
        return this.removeAll(change.kind, this.having(change));
      case 'trim': {
        const having = this.having(change);
        return this.removeAll(change.kind, having.slice(0, Math.max(0, having.length - change.keep)));
      }
      case 'claim':
      case 'release':
        return this.key(change, position, index);
      case 'deadline':
      case 'effect':
        return this.numbered(change, position, index);
    }
  }

  private key(change: Extract<Change, { change: 'claim' | 'release' }>, position: number, index: number): void {
    const row = { index_name: change.index, value: change.value, owner: change.owner };
    if (change.change === 'claim') this.put({ plain: 'unique_keys' }, row, position, index);
    else this.removeAll('unique_keys', [rowKey({ plain: 'unique_keys' }, row)]);
  }

  private numbered(change: Extract<Change, { change: 'deadline' | 'effect' }>, position: number, index: number): void {
    const { stream: stream_id, n, attempt } = change;
    const plain: PlainTable = change.change === 'deadline' ? 'deadlines' : 'effects';
    const row: DerivedRow =
      change.change === 'deadline'
        ? { stream_id, n, attempt, due: change.due, status: change.status }
        : { stream_id, n, attempt, json: change.json };
    if (change.status === 'closed') this.removeAll(plain, [rowKey({ plain }, row)]);
    else this.put({ plain }, row, position, index);
  }

  private having({ kind, column, value }: Pick<Trim, 'kind' | 'column' | 'value'>): string[] {
    return [...this.table(kind)].filter(([, { row }]) => (row[column] ?? null) === value).map(([key]) => key);
  }

  private removeAll(name: string, keys: readonly string[]): void {
    for (const key of keys) this.table(name).delete(key);
  }

  private table(name: string): Map<string, RebuiltRow> {
    const rows = this.tables.get(name) ?? new Map<string, RebuiltRow>();
    this.tables.set(name, rows);
    return rows;
  }
}
