import { DataSource } from 'typeorm';
import { documentSchemas } from '@lib/contracts';
import { emptyStream } from '@lib/domain';
import type { RecordedEvent } from '@lib/ports';
import { openSqliteReader } from '@lib/adapters/event-log-typeorm';
import { foldRecorded, pagesAhead, type LoadedNode } from '@lib/usecases';

export interface FoldOrder {
  readonly database: string;
  readonly eventsMax: number;
}

export interface FoldResult {
  readonly events: number;
  readonly perSecond: number;
}

const PAGE = 5_000;
const COLUMNS = 'position, stream_id, version, type, schema, data, meta, recorded_at, prev_hash, hash';
const PARTS = /^(node)[/]/;

/** Folds every node of the log from its first event, with the parts that the services use. */
async function fold({ database, eventsMax }: FoldOrder): Promise<FoldResult> {
  const { reader, close } = await openSqliteReader({ path: database, schemas: documentSchemas, waitMs: 1_000 });
  const nodes = new Map<string, LoadedNode>();
  const startedAt = performance.now();
  let events = 0;
  try {
    const read = (after: number, limit: number) => reader.readAll(after, limit);
    for await (const page of pagesAhead({ read, placeOf: ({ position }) => position, limit: PAGE }, 0)) {
      foldPage(nodes, page);
      events += page.length;
      if (events >= eventsMax) break;
    }
  } finally {
    await close();
  }
  return { events, perSecond: events / ((performance.now() - startedAt) / 1000) };
}

function foldPage(nodes: Map<string, LoadedNode>, page: readonly RecordedEvent[]): void {
  for (const event of page) {
    if (!PARTS.test(event.stream)) continue;
    nodes.set(event.stream, foldRecorded(nodes.get(event.stream) ?? { version: 0, stream: emptyStream }, [event]));
  }
}

/** The bare part: the same pages through TypeORM, each event's data parsed and kept for its stream, no more. */
async function parse({ database, eventsMax }: FoldOrder): Promise<FoldResult> {
  const source = await new DataSource({ type: 'sqlite', database, flags: 1 }).initialize();
  const streams = new Map<string, unknown>();
  const startedAt = performance.now();
  let events = 0;
  try {
    for (let after = 0; events < eventsMax;) {
      const rows = (await source.query(`SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`, [
        after,
        PAGE,
      ])) as { position: number; stream_id: string; data: string }[];
      const last = rows.at(-1);
      if (last === undefined) break;
      for (const { stream_id, data } of rows) streams.set(stream_id, JSON.parse(data));
      after = last.position;
      events += rows.length;
    }
  } finally {
    await source.destroy();
  }
  return { events, perSecond: events / ((performance.now() - startedAt) / 1000) };
}

export const folds = { fold, parse };
