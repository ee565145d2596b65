import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'sqlite3';
import { LogUnavailable } from '@lib/ports';
import { appending, expectIntactChains, nodeChanges, suiteSchemas } from '@lib/testing/event-log-suite';
import { openSqliteLog, sqlitePath, type SqliteLogOptions, type StoredLog } from '.';
import { openReader, openWriter, readSetting } from './connections';
import { takeWriterLock } from './writer-lock';

describe('the SQLite file of a log', () => {
  let home: string;
  const opened: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ferrolog-file-'));
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await rm(home, { recursive: true });
  });

  async function open(options: Partial<SqliteLogOptions> = {}): Promise<StoredLog> {
    const log = await openSqliteLog({ home, schemas: suiteSchemas, clock: Date, lockWaitMs: 0, ...options });
    opened.push(log);
    return log;
  }

  /** Somebody who opens the file beside the log. */
  function outsider() {
    const database = new Database(sqlitePath(home));
    const all = (sql: string, ...values: unknown[]) =>
      new Promise<Record<string, unknown>[]>((resolve, reject) =>
        database.all(sql, values, (error, rows) =>
          error ? reject(error) : resolve(rows as Record<string, unknown>[]),
        ),
      );
    opened.unshift({ close: () => new Promise((resolve) => database.close(() => resolve())) });
    return all;
  }

  it('refuses to change, delete or replace an event', async () => {
    const { log } = await open();
    await log.append(appending({ 'node/1': 'absent' }));
    await log.append(appending({ 'node/1': 1 }));
    const all = outsider();
    await expect(all("UPDATE events SET data = '{}'")).rejects.toThrow('events are never changed');
    await expect(all('UPDATE events SET recorded_at = 0 WHERE position = 2')).rejects.toThrow(
      'events are never changed',
    );
    await expect(all('DELETE FROM events')).rejects.toThrow('events are never deleted');
    const replace = (position: number, version: number) =>
      all(`INSERT OR REPLACE INTO events VALUES (?, 'node/1', ?, 'T', 1, '', '', 0, '', '')`, position, version);
    await expect(replace(1, 1)).rejects.toThrow('events are only appended');
    await expect(replace(3, 1)).rejects.toThrow('events are only appended');
    await expect(replace(9, 3)).rejects.toThrow('events are only appended');
    expect(await expectIntactChains(log)).toHaveLength(2);
  });

  it('has the settings that durability needs, read back', async () => {
    await open();
    const writer = await openWriter(sqlitePath(home));
    const reader = await openReader(sqlitePath(home));
    opened.unshift(writer, reader);
    expect(await readSetting(writer.sql, 'journal_mode')).toBe('wal');
    expect(await readSetting(writer.sql, 'synchronous')).toBe(2);
    expect(await readSetting(writer.sql, 'busy_timeout')).toBe(5000);
    expect(await readSetting(writer.sql, 'secure_delete')).toBe(1);
    expect(await readSetting(reader.sql, 'query_only')).toBe(1);
    await expect(reader.sql.run("INSERT INTO secret_keys VALUES ('k', 'w')")).rejects.toThrow('readonly');
  });

  it('has one writer, who can be followed by another', async () => {
    const first = await open();
    await expect(open()).rejects.toThrow('Another process writes this log');
    await first.close();
    await first.close();
    await open();
  });

  it('waits a while for a predecessor to let go', async () => {
    const lock = await takeWriterLock(join(home, 'writer.lock'), 0);
    const waiting = open({ lockWaitMs: 20_000 });
    await lock.release();
    expect(await (await waiting).log.head()).toBe(0);
  });

  it('frees the lock when opening fails', async () => {
    const schemas = [{ kind: 'no name', columns: {}, indexed: [] }];
    await expect(open({ schemas })).rejects.toThrow(TypeError);
    await open();
  });

  it('SQL-10: is unavailable when it is full, acknowledges nothing, and goes on when there is room', async () => {
    const { log, close } = await open({ bytesMax: 600_000 });
    const big = () => appending({ 'node/1': 'any' }, { data: 'x'.repeat(50_000) });
    let acknowledged = 0;
    for (let full = false; !full;) {
      try {
        await log.append(big());
        acknowledged++;
      } catch (error) {
        expect(error).toBeInstanceOf(LogUnavailable);
        full = true;
      }
    }
    expect(acknowledged).toBeGreaterThan(2);
    expect(await log.head()).toBe(acknowledged);
    await expect(Promise.all([log.append(big()), log.append(big())])).rejects.toThrow(LogUnavailable);
    const small = appending({ 'node/2': 'absent' });
    expect(await log.append(small)).toMatchObject({ ok: true });
    await close();
    const { log: roomy } = await open();
    expect(await roomy.append(big())).toMatchObject({ ok: true });
    expect(await expectIntactChains(roomy)).toHaveLength(acknowledged + 2);
  });

  it('isolates the member that a foreign writer stands in the way of', async () => {
    const { log } = await open();
    await log.append(appending({ 'node/1': 'absent' }));
    const all = outsider();
    await all(`INSERT INTO events VALUES (2, 'node/7', 1, 'Foreign', 1, '{}', '{}', 0, '', '')`);
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, (_, i) => log.append(appending({ [`node/${i}`]: 'any' }))),
    );
    const failed = results.flatMap((result, i) => (result.status === 'rejected' ? [[i, result.reason]] : []));
    expect(failed).toEqual([[7, expect.any(LogUnavailable)]]);
    expect(await log.head()).toBe(2 + 15);
  });

  it('commits what waits as one transaction', async () => {
    const { log, leases } = await open();
    const commits: number[] = [];
    log.onCommit((events) => commits.push(events.length));
    const appends = Array.from({ length: 1200 }, (_, i) => log.append(appending({ [`node/${i}`]: 'absent' })));
    await Promise.all([...appends, leases.claim('worker', 0, 1, 1)]);
    expect(commits).toEqual([500, 500, 200]);
  });

  it('lets readers see a batch whole or not at all', async () => {
    const { log, readModel } = await open();
    const sort = { column: 'seq', descending: false };
    const appends = Array.from({ length: 300 }, (_, i) =>
      log.append(appending({ [`node/${i}`]: 'absent' }, { changes: nodeChanges(`${i}`, 1, {}) })),
    );
    let written = false;
    const all = Promise.all(appends).then(() => (written = true));
    const seen = new Set<number>();
    while (!written) seen.add((await readModel.list({ kind: 'node', where: [], sort, limit: 1000 }))?.length ?? -1);
    await all;
    expect([...seen].filter((count) => count !== 0 && count !== 300)).toEqual([]);
  });

  it('gains the columns and kinds that a newer release declares', async () => {
    const { log, close } = await open();
    await log.append(appending({}, { changes: nodeChanges('1', 1, { name: 'one' }) }));
    await close();
    const [node] = suiteSchemas;
    if (node === undefined) throw new Error('the suite has a kind');
    const widened = {
      ...node,
      columns: { ...node.columns, owner: 'text' as const },
      indexed: [...node.indexed, 'owner'],
    };
    const schemas = [widened, { kind: 'chassis', columns: {}, indexed: [] }];
    const newer = await open({ schemas });
    await newer.log.append(appending({}, { changes: nodeChanges('2', 1, { owner: 'me' }) }));
    const where = [{ column: 'owner', is: 'null' as const }];
    const found = await newer.readModel.list({
      kind: 'node',
      where,
      sort: { column: 'seq', descending: true },
      limit: 9,
    });
    expect(found?.map(({ id }) => id)).toEqual(['1']);
    expect(await newer.readModel.get('chassis', ['x'])).toEqual([]);
  });
});
