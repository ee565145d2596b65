import type { DocumentKind, StoredDocument } from '@lib/ports';
import { tableOf } from './document-tables';
import type { Query } from './sql';
import { chunks, marks, type SqlRow } from './sql';

interface Reading {
  readonly ids: readonly string[];
  resolve(documents: StoredDocument[]): void;
  reject(reason: unknown): void;
}

const IDS_PER_SELECT = 1_000;

export const toDocument = ({ id, seq, version, json }: SqlRow): StoredDocument => ({
  id: String(id),
  seq: Number(seq),
  version: Number(version),
  json: String(json),
});

/** Gathers the point reads of one turn of the event loop into one SELECT per kind: several times the reads per second. */
export class PointReads {
  private waiting = new Map<DocumentKind, Reading[]>();

  constructor(private readonly query: Query) {}

  get(kind: DocumentKind, ids: readonly string[]): Promise<StoredDocument[]> {
    return new Promise((resolve, reject) => {
      if (this.waiting.size === 0) setImmediate(() => this.readAll());
      const readings = this.waiting.get(kind) ?? [];
      readings.push({ ids, resolve, reject });
      this.waiting.set(kind, readings);
    });
  }

  private readAll(): void {
    const waiting = this.waiting;
    this.waiting = new Map();
    for (const [kind, readings] of waiting) void this.readKind(kind, readings);
  }

  private async readKind(kind: DocumentKind, readings: readonly Reading[]): Promise<void> {
    try {
      const found = await this.select(kind, new Set(readings.flatMap(({ ids }) => ids)));
      for (const { ids, resolve } of readings) resolve([...new Set(ids)].flatMap((id) => found.get(id) ?? []));
    } catch (error) {
      for (const { reject } of readings) reject(error);
    }
  }

  private async select(kind: DocumentKind, ids: ReadonlySet<string>): Promise<Map<string, StoredDocument>> {
    const found = new Map<string, StoredDocument>();
    for (const chunk of chunks([...ids], IDS_PER_SELECT)) {
      const text = `SELECT id, seq, version, json FROM ${tableOf(kind)} WHERE id IN (${marks(chunk.length)})`;
      for (const row of await this.query(text, chunk)) found.set(String(row.id), toDocument(row));
    }
    return found;
  }
}
