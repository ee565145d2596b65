import { columnType, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Condition, DocumentQuery, Instant, OpenDeadline, ReadModel, StoredDocument, StreamId } from '@lib/ports';
import { readBlob } from './blobs';
import { quoted } from './dialect';
import { afterClause, orderClause, whereClause, type Clause } from './document-query';
import { tableOf } from './document-tables';
import { PointReads, toDocument } from './point-reads';
import { chunks, marks, type Query, type Reading, type SqlValue } from './sql';

const VALUES_PER_SELECT = 5_000;

export class TypeormReadModel implements ReadModel {
  private readonly query: Query;
  private readonly points: PointReads;

  constructor(
    private readonly reading: Reading,
    private readonly schemas: SchemaIndex,
    readonly close: () => Promise<void>,
  ) {
    this.query = reading.query;
    this.points = new PointReads(reading.query);
  }

  async get(kind: string, ids: readonly string[]): Promise<StoredDocument[]> {
    columnType(this.schemas, kind, 'id');
    return this.points.get(kind, ids);
  }

  async list(query: DocumentQuery): Promise<StoredDocument[] | null> {
    columnType(this.schemas, query.kind, query.sort.column);
    const clauses = [whereClause(query, this.schemas, this.reading.dialect)];
    if (query.after !== undefined) {
      const after = await this.markerClause(query, query.after);
      if (after === null) return null;
      clauses.push(after);
    }
    const rows = await this.query(
      `SELECT id, seq, version, json FROM ${tableOf(query.kind)}
         WHERE ${clauses.map(({ text }) => text).join(' AND ')} ORDER BY ${orderClause(query, this.reading.dialect)} LIMIT ?`,
      [...clauses.flatMap(({ values }) => values), query.limit],
    );
    return rows.map(toDocument);
  }

  async count(kind: string, where: readonly Condition[], most: number): Promise<number> {
    const { text, values } = whereClause({ kind, where }, this.schemas, this.reading.dialect);
    const counted = `SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM ${tableOf(kind)} WHERE ${text} LIMIT ?) AS counted`;
    const [row] = await this.query(counted, [...values, most]);
    return Number(row?.n ?? 0);
  }

  async owners(index: string, values: readonly string[]): Promise<Map<string, StreamId>> {
    const owners = new Map<string, StreamId>();
    for (const chunk of chunks([...new Set(values)], VALUES_PER_SELECT)) {
      const text = `SELECT value, owner FROM unique_keys WHERE index_name = ? AND value IN (${marks(chunk.length)})`;
      for (const { value, owner } of await this.query(text, [index, ...chunk]))
        owners.set(String(value), String(owner));
    }
    return owners;
  }

  async deadlines(until: Instant, limit: number): Promise<OpenDeadline[]> {
    const rows = await this.query(
      `SELECT stream_id, n, attempt, due FROM deadlines
         WHERE status = 'open' AND due <= ? ORDER BY due, stream_id, n LIMIT ?`,
      [until, limit],
    );
    return rows.map(({ stream_id, n, attempt, due }) => ({
      stream: String(stream_id),
      n: Number(n),
      attempt: Number(attempt),
      due: Number(due),
    }));
  }

  readBlob(hash: string): Promise<Uint8Array | null> {
    return readBlob(this.query, hash);
  }

  private async markerClause(query: DocumentQuery, after: string): Promise<Clause | null> {
    const text = `SELECT seq, ${quoted(query.sort.column)} AS value FROM ${tableOf(query.kind)} WHERE id = ?`;
    const [marker] = await this.query(text, [after]);
    return marker === undefined ? null : afterClause(query, marker.value as SqlValue, Number(marker.seq));
  }
}
