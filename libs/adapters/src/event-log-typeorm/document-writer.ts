import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Change, DocumentKind } from '@lib/ports';
import { quoted } from './dialect';
import { havingClause } from './document-query';
import { tableOf } from './document-tables';
import { toColumn } from './scalars';
import { deleteRows, writeRows, type Sql } from './sql';

type DocumentChange = Extract<Change, { kind: DocumentKind }>;
type Put = Extract<Change, { change: 'put' }>;

/**
 * Writes document changes in their order within each kind, with runs of puts and runs of removals gathered into
 * multi-row statements. Of several puts of one document in a run the last counts, at the place of the first.
 */
export class DocumentWriter {
  private readonly puts = new Map<DocumentKind, Map<string, Put>>();
  private readonly removals = new Map<DocumentKind, Set<string>>();

  constructor(
    private readonly sql: Sql,
    private readonly schemas: SchemaIndex,
  ) {}

  async apply(change: DocumentChange): Promise<void> {
    const { kind } = change;
    switch (change.change) {
      case 'put':
        await this.flushRemovals(kind);
        entry(this.puts, kind, () => new Map<string, Put>()).set(change.id, change);
        return;
      case 'remove':
        await this.flushPuts(kind);
        entry(this.removals, kind, () => new Set<string>()).add(change.id);
        return;
      case 'removeWhere':
      case 'trim':
        await this.flushKind(kind);
        await this.removeMany(change);
        return;
    }
  }

  async flush(): Promise<void> {
    for (const kind of new Set([...this.puts.keys(), ...this.removals.keys()])) await this.flushKind(kind);
  }

  /** At most one of the two holds rows of a kind at any time. */
  private async flushKind(kind: DocumentKind): Promise<void> {
    await this.flushPuts(kind);
    await this.flushRemovals(kind);
  }

  private async flushPuts(kind: DocumentKind): Promise<void> {
    const puts = [...(this.puts.get(kind)?.values() ?? [])];
    this.puts.delete(kind);
    if (puts.length === 0) return;
    const declared = Object.keys(this.schemas.get(kind)?.columns ?? {});
    const columns = ['id', 'version', 'json', ...declared.map(quoted)];
    const updates = columns.slice(1).map((column) => `${column} = excluded.${column}`);
    await writeRows(
      this.sql,
      `INSERT INTO ${tableOf(kind)} (${columns.join(', ')})`,
      puts.map((put) => [put.id, put.version, put.json, ...declared.map((column) => toColumn(put.columns[column]))]),
      `ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    );
  }

  private async flushRemovals(kind: DocumentKind): Promise<void> {
    const ids = [...(this.removals.get(kind) ?? [])];
    this.removals.delete(kind);
    await deleteRows(
      this.sql,
      tableOf(kind),
      ['id'],
      ids.map((id) => [id]),
    );
  }

  private async removeMany(change: Extract<DocumentChange, { change: 'removeWhere' | 'trim' }>): Promise<void> {
    const table = tableOf(change.kind);
    const { text: having, values } = havingClause(change.column, change.value);
    if (change.change === 'removeWhere') {
      await this.sql.run(`DELETE FROM ${table} WHERE ${having}`, values);
      return;
    }
    const newestToGo = `SELECT seq FROM ${table} WHERE ${having} ORDER BY seq DESC LIMIT 1 OFFSET ?`;
    await this.sql.run(`DELETE FROM ${table} WHERE ${having} AND seq <= (${newestToGo})`, [
      ...values,
      ...values,
      change.keep,
    ]);
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
