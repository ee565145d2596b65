import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Change, DocumentKind } from '@lib/ports';
import { quoted } from './dialect';
import { havingClause } from './document-query';
import { tableOf } from './document-tables';
import { toColumn } from './scalars';
import { chunks, deleteRows, marks, writeRows, type Sql } from './sql';

type DocumentChange = Extract<Change, { kind: DocumentKind }>;
type Put = Extract<Change, { change: 'put' }>;
type Trim = Extract<Change, { change: 'trim' }>;

const TRIMS_PER_STATEMENT = 500;

/**
 * Writes document changes in their order within each kind, with runs of puts and runs of removals gathered into
 * multi-row statements. Of several puts of one document in a run the last counts, at the place of the first. Trims are
 * gathered as well, and done after the puts that they follow: a trim and a put of another value do not meet.
 */
export class DocumentWriter {
  private readonly puts = new Map<DocumentKind, Map<string, Put>>();
  private readonly removals = new Map<DocumentKind, Set<string>>();
  private readonly trims = new Map<DocumentKind, Map<string, Trim>>();

  constructor(
    private readonly sql: Sql,
    private readonly schemas: SchemaIndex,
  ) {}

  async apply(change: DocumentChange): Promise<void> {
    const { kind } = change;
    switch (change.change) {
      case 'put':
        await this.flushRemovals(kind);
        if (this.isTrimmed(change)) await this.flushKind(kind);
        entry(this.puts, kind, () => new Map<string, Put>()).set(change.id, change);
        return;
      case 'remove':
        await this.flushPuts(kind);
        await this.flushTrims(kind);
        entry(this.removals, kind, () => new Set<string>()).add(change.id);
        return;
      case 'removeWhere':
        await this.flushKind(kind);
        await this.removeWhere(change);
        return;
      case 'trim':
        await this.flushRemovals(kind);
        await this.flushOtherTrims(change);
        entry(this.trims, kind, () => new Map<string, Trim>()).set(JSON.stringify(change.value), change);
        return;
    }
  }

  /** What is put now would fall under a trim that came before it. */
  private isTrimmed({ kind, columns }: Put): boolean {
    const trims = this.trims.get(kind);
    const [first] = trims?.values() ?? [];
    return first !== undefined && (trims?.has(JSON.stringify(columns[first.column] ?? null)) ?? false);
  }

  /** Those gathered are of one column and one length. */
  private async flushOtherTrims({ kind, column, keep, value }: Trim): Promise<void> {
    const [first] = this.trims.get(kind)?.values() ?? [];
    if (first && (first.column !== column || first.keep !== keep || value === null)) await this.flushKind(kind);
  }

  async flush(): Promise<void> {
    for (const kind of new Set([...this.puts.keys(), ...this.removals.keys(), ...this.trims.keys()]))
      await this.flushKind(kind);
  }

  /** Removals stand alone at any time; puts come before the trims that follow them. */
  private async flushKind(kind: DocumentKind): Promise<void> {
    await this.flushPuts(kind);
    await this.flushTrims(kind);
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

  private async removeWhere({ kind, column, value }: Extract<Change, { change: 'removeWhere' }>): Promise<void> {
    const { text, values } = havingClause(column, value);
    await this.sql.run(`DELETE FROM ${tableOf(kind)} WHERE ${text}`, values);
  }

  private async flushTrims(kind: DocumentKind): Promise<void> {
    const trims = [...(this.trims.get(kind)?.values() ?? [])];
    this.trims.delete(kind);
    const [first] = trims;
    if (!first) return;
    const [table, column] = [tableOf(kind), quoted(first.column)];
    for (const chunk of chunks(trims, TRIMS_PER_STATEMENT)) {
      const having = first.value === null ? `${column} IS NULL` : `${column} IN (${marks(chunk.length)})`;
      const values = first.value === null ? [] : chunk.map(({ value }) => toColumn(value));
      await this.sql.run(
        `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM (
           SELECT seq, row_number() OVER (PARTITION BY ${column} ORDER BY seq DESC) AS place FROM ${table} WHERE ${having}
         ) AS placed WHERE place > ?)`,
        [...values, first.keep],
      );
    }
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
