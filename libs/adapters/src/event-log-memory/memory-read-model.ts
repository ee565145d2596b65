import { columnType, keyOf, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Condition, DocumentQuery, Instant, OpenDeadline, ReadModel, StoredDocument, StreamId } from '@lib/ports';
import type { MemoryStore } from './memory-store';

export class MemoryReadModel implements ReadModel {
  constructor(
    private readonly store: MemoryStore,
    private readonly schemas: SchemaIndex,
  ) {}

  async get(kind: string, ids: readonly string[]): Promise<StoredDocument[]> {
    columnType(this.schemas, kind, 'id');
    return this.store.documents.get(kind, ids);
  }

  async list(query: DocumentQuery): Promise<StoredDocument[] | null> {
    return this.store.documents.list(query, this.schemas);
  }

  async count(kind: string, where: readonly Condition[], most: number): Promise<number> {
    return this.store.documents.count(kind, where, most, this.schemas);
  }

  async owners(index: string, values: readonly string[]): Promise<Map<string, StreamId>> {
    return new Map(
      values.flatMap((value) => {
        const owner = this.store.view.owners.get(keyOf(index, value));
        return owner === undefined ? [] : [[value, owner]];
      }),
    );
  }

  async deadlines(until: Instant, limit: number): Promise<OpenDeadline[]> {
    return [...this.store.deadlines.values()]
      .filter(({ status, due }) => status === 'open' && due <= until)
      .sort((a, b) => a.due - b.due || (a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.n - b.n))
      .slice(0, limit)
      .map(({ stream, n, attempt, due }) => ({ stream, n, attempt, due }));
  }

  async readBlob(hash: string): Promise<Uint8Array | null> {
    return this.store.blobs.get(hash)?.slice() ?? null;
  }

  async close(): Promise<void> {}
}
