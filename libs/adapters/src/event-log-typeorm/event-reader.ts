import type { EventReader, RecordedEvent, StreamId } from '@lib/ports';
import { readBlob } from './blobs';
import { EVENT_COLUMNS, toEvent } from './events-table';
import type { Query } from './sql';
import { chunks, marks } from './sql';

const STREAMS_PER_SELECT = 5_000;

export class TypeormEventReader implements EventReader {
  constructor(private readonly query: Query) {}

  async logId(): Promise<string> {
    const [row] = await this.query('SELECT log_id FROM log_identity');
    return String(row?.log_id);
  }

  async readStream(stream: StreamId, after: number, limit: number): Promise<RecordedEvent[]> {
    const text = `SELECT ${EVENT_COLUMNS} FROM events WHERE stream_id = ? AND version > ? ORDER BY version LIMIT ?`;
    return (await this.query(text, [stream, after, limit])).map(toEvent);
  }

  async readAll(after: number, limit: number): Promise<RecordedEvent[]> {
    const text = `SELECT ${EVENT_COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`;
    return (await this.query(text, [after, limit])).map(toEvent);
  }

  async head(): Promise<number> {
    const [row] = await this.query('SELECT max(position) AS head FROM events');
    return Number(row?.head ?? 0);
  }

  async readCommand(commandId: string): Promise<RecordedEvent[]> {
    const text = `SELECT ${EVENT_COLUMNS} FROM commands
      JOIN events ON position BETWEEN first_position AND last_position WHERE command_id = ? ORDER BY position`;
    return (await this.query(text, [commandId])).map(toEvent);
  }

  async versions(streams: readonly StreamId[]): Promise<Map<StreamId, { version: number; removed: boolean }>> {
    const versions = new Map(streams.map((stream) => [stream, { version: 0, removed: true }]));
    for (const chunk of chunks([...versions.keys()], STREAMS_PER_SELECT)) {
      const text = `SELECT stream_id, version, removed FROM streams WHERE stream_id IN (${marks(chunk.length)})`;
      for (const { stream_id, version, removed } of await this.query(text, chunk)) {
        versions.set(String(stream_id), { version: Number(version), removed: Number(removed) === 1 });
      }
    }
    return versions;
  }

  readBlob(hash: string): Promise<Uint8Array | null> {
    return readBlob(this.query, hash);
  }
}
