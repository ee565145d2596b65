/** Reports on SQL stores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresLog, openSqliteLog, type StoredLog } from '@lib/adapters/event-log-typeorm';
import type { Change } from '@lib/ports';
import { appending, expectIntactChains, nodeChanges, suiteSchemas as schemas } from '@lib/testing/event-log-suite';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { Whole, inSqlite } from '../whole';
import { expectSoundEnd } from './row';

jest.setTimeout(120_000);

it('SQL-01: writers of one SQLite file queue up, and nobody meets another one', async () => {
  const whole = await Whole.start({ store: inSqlite });
  try {
    const api = await whole.api();
    const each = async (work: (i: number) => Promise<{ readonly status: number }>): Promise<number[]> => {
      const all = Promise.all(Array.from({ length: 200 }, async (_, i) => (await work(i)).status));
      let over = false;
      void all.finally(() => (over = true)).catch(() => undefined);
      while (!over) await whole.pass(10);
      return all;
    };
    const uuidOf = (i: number) => `cccccccc-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const created = await each((i) =>
      api.send('POST', '/v1/nodes', { uuid: uuidOf(i), driver: 'fake-hardware', inspect_interface: 'inspector' }),
    );
    expect(new Set(created)).toEqual(new Set([201]));
    const verb = (i: number, target: string) => api.send('PUT', `/v1/nodes/${uuidOf(i)}/states/provision`, { target });
    await each((i) => verb(i, 'manage'));
    const statuses = (
      await Promise.all([
        each((i) => api.send('PATCH', `/v1/nodes/${uuidOf(i)}`, [{ op: 'add', path: '/extra/k', value: i }])),
        each((i) => verb(i, 'inspect')),
        each((i) => api.send('POST', '/v1/nodes', { driver: 'fake-hardware', name: `n${i}` })),
      ])
    ).flat();
    expect(statuses.filter((status) => !(status >= 200 && status < 300) && status !== 409)).toEqual([]);
    await whole.pass(1_000);
  } finally {
    await expectSoundEnd(whole);
  }
});

it('SQL-02: what is rolled back takes nothing of anybody else along', async () => {
  const ROUNDS = 500;
  const home = await mkdtemp(join(tmpdir(), 'ferrolog-sql-'));
  const open = () => openSqliteLog({ home, schemas, clock: Date, readers: 1 });
  const stored = await open();
  try {
    const { log } = stored;
    const port: Change = { change: 'put', kind: 'port', id: 'p', version: 1, json: '{}', columns: { node: 'x' } };
    await log.append(appending({}, { changes: [port] }));
    for (let round = 0; round < ROUNDS; round++) {
      // Found out when all of the transaction is written: the port that remains is the database's to find.
      const doomed = appending(
        { 'node/doomed': 'any' },
        { changes: nodeChanges('doomed', 1, {}), empties: [{ kind: 'port', column: 'node', value: 'x' }] },
      );
      const good = appending({ 'node/good': round || 'absent' }, { changes: nodeChanges('good', round + 1, {}) });
      const both = round % 2 ? [doomed, good] : [good, doomed];
      const results = await Promise.all(both.map((append) => log.append(append)));
      expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    }
    expect(await stored.readModel.get('node', ['doomed'])).toEqual([]);
  } finally {
    await stored.close();
  }
  const again = await open();
  try {
    const events = await expectIntactChains(again.log);
    expect(events.map(({ stream }) => stream)).toEqual(Array.from({ length: ROUNDS }, () => 'node/good'));
  } finally {
    await again.close();
    await rm(home, { recursive: true });
  }
});

describeWithPostgres('a PostgreSQL with other ways', () => {
  let server: ScratchPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  it.each(['read committed', 'repeatable read', 'serializable'])(
    'SQL-06: its isolation level (%s) is not what appends rest on: of those at one version one wins',
    async (level) => {
      const setting = ` -c default_transaction_isolation=${level.replace(' ', '\\ ')}`;
      const url = `${await server.createSchema()}${encodeURIComponent(setting)}`;
      const writers: StoredLog[] = [];
      try {
        for (let i = 0; i < 3; i++) writers.push(await openPostgresLog({ url, schemas, clock: Date, readers: 1 }));
        for (let version = 0; version < 20; version++) {
          const results = await Promise.all(
            writers.map(({ log }) => log.append(appending({ 'node/1': version || 'absent' }))),
          );
          const kinds = results.map((result) => (result.ok ? 'won' : result.conflict.kind));
          expect(kinds.sort()).toEqual(['version', 'version', 'won']);
        }
        const client = await server.connect(url);
        const again = `INSERT INTO events SELECT 21, stream_id, version, type, schema, data, meta, recorded_at, prev_hash, hash
          FROM events WHERE position = 20`;
        await expect(client.query(again)).rejects.toMatchObject({ code: '23505' });
        await client.end();
        expect(await expectIntactChains(writers[0]!.log)).toHaveLength(20);
      } finally {
        for (const writer of writers) await writer.close();
      }
    },
  );

  it('EVS-11: a lease counts from the statement that wrote it, however long that had to wait', async () => {
    let now = 0;
    const clock = { now: () => now };
    const url = await server.createSchema();
    const times = { lockMs: 60_000, statementMs: 60_000, idleInTransactionMs: 60_000 };
    const [one, two] = [
      await openPostgresLog({ url, schemas, clock, readers: 1, times }),
      await openPostgresLog({ url, schemas, clock, readers: 1, times }),
    ];
    const blocker = await server.connect(url);
    try {
      const open = { change: 'effect', stream: 'node/1', n: 1, attempt: 1, status: 'open', json: '{}' } as const;
      await one.log.append(appending({ 'node/1': 'absent' }, { changes: [open] }));
      await blocker.query(`SELECT pg_advisory_lock(${0x6665726c})`);
      const claiming = one.leases.claim('one', now, 10_000, 1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      now = 30_000;
      await blocker.query(`SELECT pg_advisory_unlock(${0x6665726c})`);
      const [claimed] = await claiming;
      expect(claimed).toMatchObject({ claim: 1 });
      expect(await two.leases.claim('two', 39_999, 10_000, 1)).toEqual([]);
      expect(await two.leases.claim('two', 40_000, 10_000, 1)).toMatchObject([{ claim: 2 }]);
      expect(await one.leases.renew({ stream: 'node/1', n: 1, claim: 1 }, 'one', 90_000)).toBe(false);
    } finally {
      await blocker.end();
      await one.close();
      await two.close();
    }
  });
});
