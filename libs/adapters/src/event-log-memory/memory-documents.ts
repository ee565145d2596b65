import { columnType, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Change, Condition, DocumentKind, DocumentQuery, Emptiness, Scalar, StoredDocument } from '@lib/ports';
import { assertDeclared, compareScalars, meets, type Row } from './conditions';

export type DocumentChange = Extract<Change, { kind: DocumentKind }>;

interface Stored extends StoredDocument {
  readonly row: Row;
}

interface Table {
  lastSeq: number;
  /** In order of seq: a put over an existing id keeps its place. */
  readonly byId: Map<string, Stored>;
}

/** Documents of the read model, one table per kind. */
export class MemoryDocuments {
  private readonly tables = new Map<DocumentKind, Table>();

  apply(change: DocumentChange): void {
    switch (change.change) {
      case 'put':
        return this.put(change);
      case 'remove':
        return this.remove(change.kind, change.id);
      case 'removeWhere':
        return this.removeWhere(change.kind, change.column, change.value);
      case 'trim':
        return this.trim(change.kind, change.column, change.value, change.keep);
    }
  }

  /** The oldest document that would hold the value after these changes; none of them is made. */
  remainder({ kind, column, value }: Emptiness, changes: readonly DocumentChange[]): StoredDocument | undefined {
    const after = new MemoryDocuments();
    const { lastSeq, byId } = this.table(kind);
    after.tables.set(kind, { lastSeq, byId: new Map(byId) });
    for (const change of changes) if (change.kind === kind) after.apply(change);
    return after.having(kind, column, value)[0];
  }

  /** Rows of a kind in order of seq, each with the text of its document. */
  rows(kind: DocumentKind): Row[] {
    return [...this.table(kind).byId.values()].map(({ row, json }) => ({ ...row, json }));
  }

  /** Forgets the documents of a kind; their numbers are not given again. */
  clear(kind: DocumentKind): void {
    this.table(kind).byId.clear();
  }

  private put(change: Extract<Change, { change: 'put' }>): void {
    const table = this.table(change.kind);
    const { id, version, json, columns } = change;
    const seq = table.byId.get(id)?.seq ?? ++table.lastSeq;
    table.byId.set(id, { id, seq, version, json, row: { ...columns, id, seq, version } });
  }

  private remove(kind: DocumentKind, id: string): void {
    this.table(kind).byId.delete(id);
  }

  private removeWhere(kind: DocumentKind, column: string, value: Scalar): void {
    for (const { id } of this.having(kind, column, value)) this.remove(kind, id);
  }

  private trim(kind: DocumentKind, column: string, value: Scalar, keep: number): void {
    const having = this.having(kind, column, value);
    for (const { id } of having.slice(0, Math.max(0, having.length - keep))) this.remove(kind, id);
  }

  get(kind: DocumentKind, ids: readonly string[]): StoredDocument[] {
    const { byId } = this.table(kind);
    return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).map(published);
  }

  list(query: DocumentQuery, schemas: SchemaIndex): StoredDocument[] | null {
    const { kind, where, sort, limit, after } = query;
    columnType(schemas, kind, sort.column);
    assertDeclared(where, kind, schemas);
    const { byId } = this.table(kind);
    const ascending = (a: Stored, b: Stored) => compareScalars(a.row[sort.column], b.row[sort.column]) || a.seq - b.seq;
    const order = sort.descending ? (a: Stored, b: Stored) => ascending(b, a) : ascending;
    const marker = after === undefined ? undefined : byId.get(after);
    if (after !== undefined && marker === undefined) return null;
    return [...byId.values()]
      .filter(
        (stored) => where.every((condition) => meets(condition, stored.row)) && (!marker || order(marker, stored) < 0),
      )
      .sort(order)
      .slice(0, limit)
      .map(published);
  }

  count(kind: DocumentKind, where: readonly Condition[], most: number, schemas: SchemaIndex): number {
    assertDeclared(where, kind, schemas);
    const meeting = [...this.table(kind).byId.values()].filter(({ row }) => where.every((one) => meets(one, row)));
    return Math.min(meeting.length, most);
  }

  private having(kind: DocumentKind, column: string, value: Scalar): Stored[] {
    return [...this.table(kind).byId.values()].filter(({ row }) => (row[column] ?? null) === value);
  }

  private table(kind: DocumentKind): Table {
    const table = this.tables.get(kind) ?? { lastSeq: 0, byId: new Map() };
    this.tables.set(kind, table);
    return table;
  }
}

const published = ({ id, seq, version, json }: Stored): StoredDocument => ({ id, seq, version, json });
