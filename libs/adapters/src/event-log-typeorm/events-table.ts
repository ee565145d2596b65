import type { RecordedEvent } from '@lib/ports';
import { writeRows, type Sql, type SqlRow } from './sql';

export const EVENT_COLUMNS = 'position, stream_id, version, type, schema, data, meta, recorded_at, prev_hash, hash';

export function toEvent(row: SqlRow): RecordedEvent {
  return {
    position: Number(row.position),
    stream: String(row.stream_id),
    version: Number(row.version),
    type: String(row.type),
    schema: Number(row.schema),
    data: String(row.data),
    meta: String(row.meta),
    recordedAt: Number(row.recorded_at),
    prevHash: String(row.prev_hash),
    hash: String(row.hash),
  };
}

export async function insertEvents(sql: Sql, events: readonly RecordedEvent[]): Promise<void> {
  const rows = events.map((event) => [
    event.position,
    event.stream,
    event.version,
    event.type,
    event.schema,
    event.data,
    event.meta,
    event.recordedAt,
    event.prevHash,
    event.hash,
  ]);
  await writeRows(sql, `INSERT INTO events (${EVENT_COLUMNS})`, rows);
}

/** Whether this very event is in the log: its hash covers all that tells it from another at its position. */
export async function hasEvent(sql: Sql, { position, hash }: RecordedEvent): Promise<boolean> {
  const [row] = await sql.query('SELECT hash FROM events WHERE position = ?', [position]);
  return row?.hash === hash;
}
