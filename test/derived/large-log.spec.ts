import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresLog, openSqliteLog, sqlitePath } from '@lib/adapters/event-log-typeorm';
import type { StoredLog } from '@lib/adapters/event-log-typeorm';
import { documentSchemas as schemas } from '@lib/contracts';
import type { DerivedTables } from '@lib/ports';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { rebuildReadModel, verifyLog } from '@lib/usecases';
import { ensureBuilt } from '../stack';
import { projection as options } from './history';
import { fill, oneLife, pass, type Life, type Pass } from './large-log';
import { sqliteStore } from './stores';

/** LARGE_LOG_EVENTS=1000000 makes the log of a large site, in both databases, and says what it cost. */
const WANTED = process.env['LARGE_LOG_EVENTS'];
const PAGE_MAX = 1_000;
const STREAMS_HELD_MAX = 201;
/** A write is due at 1,000 rows; one more stream may come on top. */
const ROWS_HELD_MAX = 1_100;
/** Of the whole process, the runtime with all its modules included; a log of a million events is ten times that. */
const RESIDENT_MIB_MAX = 320;
const LIMIT_MS = 7_200_000;

const clock = { now: () => 1 };
let life: Life;

beforeAll(async () => {
  ensureBuilt();
  life = await oneLife();
}, 600_000);

async function filled(stored: StoredLog, nodes: number): Promise<void> {
  try {
    await fill(stored, nodes, life);
  } finally {
    await stored.close();
  }
}

const say = (what: string, { seconds, residentMib }: Pass<unknown>): void => {
  if (WANTED !== undefined) process.stderr.write(`${what}: ${seconds.toFixed(1)} s, ${residentMib.toFixed(0)} MiB\n`);
};

/** `rebuild` makes the derived rows from nothing, `verify` finds that they are right; each in a process of its own. */
async function expectPasses(database: string, nodes: number, env: NodeJS.ProcessEnv): Promise<void> {
  const events = nodes * life.events.length;
  const rebuilt = await pass<object>('rebuild', env);
  say(`${database}, ${events} events, rebuild`, rebuilt);
  expect(rebuilt).toMatchObject({ code: 0, answer: { events, streams: nodes } });
  const verified = await pass<object>('verify', env);
  say(`${database}, ${events} events, verify`, verified);
  expect(verified).toMatchObject({ code: 0, answer: { clean: true, events, streams: nodes, total: 0 } });
  if (WANTED !== undefined) {
    // Once more, with all rows there that are to be replaced.
    const again = await pass<object>('rebuild', env);
    say(`${database}, ${events} events, rebuild over what is there`, again);
    expect(again.answer).toEqual(rebuilt.answer);
  }
  for (const { residentMib } of [rebuilt, verified]) expect(residentMib).toBeLessThan(RESIDENT_MIB_MAX);
}

describe('a large log in SQLite', () => {
  const EVENTS = Number(WANTED ?? 12_000);
  let home: string;
  let nodes: number;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'ferrolog-large-'));
    nodes = Math.ceil(EVENTS / life.events.length);
    await filled(await openSqliteLog({ home, schemas, clock, readers: 1 }), nodes);
  }, LIMIT_MS);
  afterAll(() => rm(home, { recursive: true }));

  // A million takes its time once, by the commands.
  (WANTED === undefined ? it : it.skip)(
    `is verified and rebuilt with a few of its streams in memory at a time (${EVENTS} events)`,
    async () => {
      const { log: reader, derived, derivedRebuild: rebuild, close } = await openSqliteLog({ home, schemas, clock });
      try {
        const pages = { most: 0 };
        const watched: DerivedTables = Object.assign(Object.create(derived) as DerivedTables, {
          eventsByStream: async (...args: Parameters<DerivedTables['eventsByStream']>) => {
            const page = await derived.eventsByStream(...args);
            pages.most = Math.max(pages.most, page.length);
            return page;
          },
        });
        const rebuilt = await rebuildReadModel({ reader, derived: watched, rebuild, options });
        expect(rebuilt).toMatchObject({ events: nodes * life.events.length, streams: nodes });
        expect(rebuilt.rowsHeldMax).toBeLessThanOrEqual(ROWS_HELD_MAX);
        const progress: number[] = [];
        const verified = await verifyLog(
          { reader, derived: watched, options },
          {
            onDifference: (one) => expect(one).toBeNull(),
            onProgress: ({ events, of }) => void progress.push(events / of),
          },
        );
        expect(verified).toMatchObject({ events: nodes * life.events.length, streams: nodes, differences: 0 });
        expect(verified.streamsHeldMax).toBeLessThanOrEqual(STREAMS_HELD_MAX);
        expect(pages.most).toBe(PAGE_MAX);
        expect(progress.length).toBeGreaterThan(nodes / PAGE_MAX);
        expect(progress.at(-1)).toBe(1);
        const [row] = await sqliteStore(home).query('SELECT count(*) AS many FROM doc_node');
        expect(row).toEqual({ many: nodes });
      } finally {
        await close();
      }
    },
    LIMIT_MS,
  );

  it(
    'is by the commands, in bounded memory',
    async () => {
      await expectPasses('SQLite', nodes, { FERROLOG_HOME: home });
      const { size } = await stat(sqlitePath(home));
      if (WANTED !== undefined) process.stderr.write(`SQLite file: ${(size / 2 ** 20).toFixed(0)} MiB\n`);
    },
    LIMIT_MS,
  );
});

describeWithPostgres('a large log in PostgreSQL', () => {
  const EVENTS = Number(WANTED ?? 3_000);
  let server: ScratchPostgres;

  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  it(
    `is rebuilt and verified by the commands, in bounded memory (${EVENTS} events)`,
    async () => {
      const home = await mkdtemp(join(tmpdir(), 'ferrolog-large-'));
      try {
        const url = await server.createDatabase();
        const nodes = Math.ceil(EVENTS / life.events.length);
        await filled(await openPostgresLog({ url, schemas, clock, readers: 1 }), nodes);
        await expectPasses('PostgreSQL', nodes, { FERROLOG_HOME: home, DATABASE_URL: url });
      } finally {
        await rm(home, { recursive: true });
      }
    },
    LIMIT_MS,
  );
});
