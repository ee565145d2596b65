/** Logs that old releases wrote: every build opens, migrates, verifies and folds them. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresLog, openSqliteLog, sqlitePath, type StoredLog } from '@lib/adapters/event-log-typeorm';
import { documentSchemas as schemas } from '@lib/contracts';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { FULL } from '../derived/history';
import { eventsOf, rebuilt, verified } from '../derived/looks';
import { inFile, sqliteStore } from '../derived/stores';
import { record, told, type Told } from './record';

const clock = { now: () => Date.parse('2030-01-01T00:00:00Z') };
const releases = readdirSync(__dirname, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
const recording = process.env['RECORD_HISTORY'];

if (recording !== undefined) it(`records ${recording}`, () => record(join(__dirname, recording)), 300_000);

const toldBy = (release: string): Told =>
  JSON.parse(readFileSync(join(__dirname, release, 'told.json'), 'utf8')) as Told;

/** Whole, folded to what it was, with nothing to rebuild; and it goes on. */
async function expectGoesOn(stored: StoredLog, { events, nodes }: Told): Promise<void> {
  try {
    expect(await verified(stored)).toMatchObject({ events, found: [] });
    await rebuilt(stored);
    expect(await verified(stored)).toMatchObject({ events, found: [] });
    const documents = await stored.readModel.get('node', Object.keys(nodes));
    const folded = documents.map(({ id, json }) => {
      const node = JSON.parse(json) as Record<string, unknown>;
      return [id, Object.fromEntries(told.map((name) => [name, node[name]]))];
    });
    expect(Object.fromEntries(folded)).toEqual(nodes);
    const version = (await stored.log.versions([`node/${FULL}`])).get(`node/${FULL}`)?.version ?? 0;
    const meta = { commandId: 'new', requestId: null, actor: null, source: 'conductor/new', at: 1, causation: null };
    const set = [{ type: 'MaintenanceSet', schema: 1, data: { at: 1, reason: null } }];
    const writes = [{ stream: `node/${FULL}`, expected: version, events: set }];
    expect(await stored.log.append({ writes, changes: [], meta })).toMatchObject({ ok: true });
    expect(await stored.liveness.conductors()).toEqual([]);
  } finally {
    await stored.close();
  }
}

describe.each(releases)('the log of release %s', (release) => {
  it('SQL-05: in SQLite, is migrated, whole, folds to what it was, and goes on', async () => {
    const home = mkdtempSync(join(tmpdir(), 'ferrolog-histories-'));
    try {
      copyFileSync(join(__dirname, release, 'ferrolog.sqlite'), sqlitePath(home));
      const before = await eventsOf(sqliteStore(home));
      await expectGoesOn(await openSqliteLog({ home, schemas, clock }), toldBy(release));
      expect((await eventsOf(sqliteStore(home))).slice(0, before.length)).toEqual(before);
      const tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
      const names = await inFile(sqlitePath(home), tables);
      const fresh = mkdtempSync(join(home, 'fresh-'));
      await (await openSqliteLog({ home: fresh, schemas, clock })).close();
      expect(names).toEqual(await inFile(sqlitePath(fresh), tables));
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describeWithPostgres('in PostgreSQL', () => {
  let server: ScratchPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  it.each(releases)('SQL-05: the log of release %s is migrated, whole, folds to what it was, and goes on', async (release) => {
    const url = await server.createDatabase();
    const client = await server.connect(url);
    try {
      await client.query(readFileSync(join(__dirname, release, 'ferrolog.sql'), 'utf8'));
    } finally {
      await client.end();
    }
    await expectGoesOn(await openPostgresLog({ url, schemas, clock }), toldBy(release));
  }, 60_000);

  it('SQL-05: an empty database is made a log', async () => {
    const stored = await openPostgresLog({ url: await server.createDatabase(), schemas, clock });
    try {
      expect(await verified(stored)).toMatchObject({ events: 0, found: [] });
    } finally {
      await stored.close();
    }
  });
});
