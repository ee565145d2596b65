import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appending, nodeChanges, suiteSchemas } from '@lib/testing/event-log-suite';
import { openSqliteLog, openSqliteReader, sqlitePath } from '.';

const MIB = 1024 * 1024;

describe('a reader of the SQLite file', () => {
  let home: string;
  const opened: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ferrolog-reader-'));
  });
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
    await rm(home, { recursive: true });
  });

  async function kept<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
    const one = await opening;
    opened.push(one);
    return one;
  }
  const write = () => kept(openSqliteLog({ home, schemas: suiteSchemas, clock: Date }));
  const read = (waitMs: number, schemas = suiteSchemas) =>
    kept(openSqliteReader({ path: sqlitePath(home), schemas, waitMs }));

  it('says in a sentence that there is no log', async () => {
    await expect(read(100)).rejects.toThrow(
      /cannot be read \(there is no event log at .*\); is the conductor running\?$/,
    );
  });

  it('says that it has to write beside the file, where it cannot', async () => {
    await (await openSqliteLog({ home, schemas: suiteSchemas, clock: Date })).close();
    await mkdir(`${sqlitePath(home)}-wal`);
    await expect(read(0)).rejects.toThrow(`may this user write to ${home}?`);
  });

  it('waits for the writer to make the log', async () => {
    const reading = read(20_000);
    await write();
    expect(await (await reading).reader.head()).toBe(0);
  });

  it('says what a log of another release lacks', async () => {
    await write();
    const schemas = [...suiteSchemas, { kind: 'chassis', columns: {}, indexed: [] }];
    await expect(read(0, schemas)).rejects.toThrow('it has no chassis.id, written by another release');
  });

  it('sees an append once it is acknowledged', async () => {
    const { log, liveness } = await write();
    const reader = await read(0);
    for (let i = 1; i <= 20; i++) {
      await log.append(appending({ 'node/1': 'any' }, { changes: nodeChanges('1', i, { rank: i }) }));
      expect(await reader.reader.head()).toBe(i);
      expect(await reader.readModel.get('node', ['1'])).toMatchObject([{ version: i }]);
    }
    const row = {
      id: 'id-1',
      createdAt: 7,
      hostname: 'a',
      conductorGroup: '',
      drivers: [],
      online: true,
      capabilities: '{}',
    };
    await liveness.beat(row, 5);
    expect(await reader.liveness.conductors()).toMatchObject([row]);
    expect(await reader.reader.logId()).toBe(await log.logId());
  });

  it('keeps no read transaction across pages, so that the WAL stays small', async () => {
    const { log } = await write();
    const { reader } = await read(0);
    const data = 'x'.repeat(20_000);
    let after = 0;
    let largest = 0;
    for (let i = 0; i < 40; i++) {
      await Promise.all(Array.from({ length: 50 }, () => log.append(appending({ [`node/${i}`]: 'any' }, { data }))));
      // A slow reader: one small page for many appends.
      after = (await reader.readAll(after, 3)).at(-1)?.position ?? after;
      largest = Math.max(largest, (await stat(`${sqlitePath(home)}-wal`)).size);
    }
    expect(after).toBe(120);
    expect((await stat(sqlitePath(home))).size).toBeGreaterThan(30 * MIB);
    expect(largest).toBeLessThan(16 * MIB);
  }, 60_000);

  it('rejects after close', async () => {
    await write();
    const reader = await read(0);
    await reader.close();
    await expect(reader.reader.head()).rejects.toThrow('the log is closed');
  });
});
