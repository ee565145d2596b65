import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLog } from '@lib/adapters/event-log-typeorm';
import { documentSchemas } from '@lib/contracts';
import type { DerivedTables, RecordedEvent, StreamWrite } from '@lib/ports';
import { rebuildReadModel, verifyLog } from '@lib/usecases';
import { uuidOf } from '../world';
import { FULL, play, projection as options } from './history';
import { sqliteStore } from './stores';

/** LARGE_LOG_EVENTS=1000000 makes the log of a large site. */
const EVENTS = Number(process.env['LARGE_LOG_EVENTS'] ?? 30_000);
const STREAMS_PER_APPEND = 100;
const PAGE_MAX = 1_000;
const STREAMS_HELD_MAX = 201;
/** A write is due at 1,000 rows; one more stream may come on top. */
const ROWS_HELD_MAX = 1_100;

/** One node's life, as another node with its own name. */
const as = (uuid: string, events: readonly RecordedEvent[]): StreamWrite => ({
  stream: `node/${uuid}`,
  expected: 'absent',
  events: events.map(({ type, schema, data }) => ({
    type,
    schema,
    data: JSON.parse(data.replaceAll(FULL, uuid).replace('"name":"full"', `"name":"n${uuid}"`)) as unknown,
  })),
});

it(`verifies and rebuilds ${EVENTS} events with a few streams in memory at a time`, async () => {
  const history = await play(1, { steps: 0, nodes: 1 });
  const life = await history.world.memory.log.readStream(`node/${FULL}`, 0, 1_000);
  const blobs = [...history.world.memory.store.blobs].map(([hash, bytes]) => ({ hash, bytes }));
  await history.end();
  const home = await mkdtemp(join(tmpdir(), 'ferrolog-large-'));
  const stored = await openSqliteLog({ home, schemas: documentSchemas, clock: { now: () => 1 }, readers: 1 });
  try {
    const nodes = Math.ceil(EVENTS / life.length);
    for (let node = 0; node < nodes; node += STREAMS_PER_APPEND) {
      const size = Math.min(STREAMS_PER_APPEND, nodes - node);
      const writes = Array.from({ length: size }, (_, i) => as(uuidOf(1 + node + i), life));
      const meta = { requestId: null, actor: null, source: 'conductor/one', at: 1, causation: null };
      await stored.log.append({ writes, changes: [], blobs, meta: { ...meta, commandId: `life ${node}` } });
    }
    const { log: reader, derived, derivedRebuild: rebuild } = stored;
    const pages = { most: 0 };
    const watched: DerivedTables = Object.assign(Object.create(derived) as DerivedTables, {
      eventsByStream: async (...args: Parameters<DerivedTables['eventsByStream']>) => {
        const page = await derived.eventsByStream(...args);
        pages.most = Math.max(pages.most, page.length);
        return page;
      },
    });
    const rebuilt = await rebuildReadModel({ reader, derived: watched, rebuild, options });
    expect(rebuilt).toMatchObject({ events: nodes * life.length, streams: nodes });
    expect(rebuilt.rowsHeldMax).toBeLessThanOrEqual(ROWS_HELD_MAX);
    const progress: number[] = [];
    const verified = await verifyLog(
      { reader, derived: watched, options },
      {
        onDifference: (one) => expect(one).toBeNull(),
        onProgress: ({ events, of }) => void progress.push(events / of),
      },
    );
    expect(verified).toMatchObject({ events: nodes * life.length, streams: nodes, differences: 0 });
    expect(verified.streamsHeldMax).toBeLessThanOrEqual(STREAMS_HELD_MAX);
    expect(pages.most).toBe(PAGE_MAX);
    expect(progress.length).toBeGreaterThan(nodes / PAGE_MAX);
    expect(progress.at(-1)).toBe(1);
    const [row] = await sqliteStore(home).query('SELECT count(*) AS many FROM doc_node');
    expect(row).toEqual({ many: nodes });
  } finally {
    await stored.close();
    await rm(home, { recursive: true });
  }
}, 3_600_000);
