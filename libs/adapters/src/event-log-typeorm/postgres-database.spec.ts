import { LogUnavailable } from '@lib/ports';
import { appending, expectIntactChains, nodeChanges, suiteSchemas } from '@lib/testing/event-log-suite';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { openPostgresLog, openPostgresReader, type PostgresLogOptions, type StoredLog } from '.';
import * as connections from './postgres-connections';

describeWithPostgres('the PostgreSQL database of a log', () => {
  let server: ScratchPostgres;
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());
  beforeEach(async () => {
    url = await server.createSchema();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(rest: Partial<PostgresLogOptions> = {}): Promise<StoredLog> {
    const log = await openPostgresLog({ url, schemas: suiteSchemas, clock: Date, readers: 1, ...rest });
    closing.push(() => log.close());
    return log;
  }
  const outsider = async (address = url) => {
    const client = await server.connect(address);
    closing.push(() => client.end());
    return client;
  };

  it('refuses to change, delete, truncate or misplace an event', async () => {
    const { log } = await open();
    await log.append(appending({ 'node/1': 'absent' }));
    await log.append(appending({ 'node/1': 1 }));
    const client = await outsider();
    await expect(client.query("UPDATE events SET data = '{}'")).rejects.toThrow('events are never changed');
    await expect(client.query('DELETE FROM events WHERE position = 2')).rejects.toThrow('events are never deleted');
    await expect(client.query('TRUNCATE events')).rejects.toThrow('events are never deleted');
    const insert = (position: number, version: number) =>
      client.query("INSERT INTO events VALUES ($1, 'node/1', $2, 'T', 1, '', '', 0, '', '')", [position, version]);
    await expect(insert(1, 3)).rejects.toThrow('events_pkey');
    await expect(insert(3, 1)).rejects.toThrow('events_stream_id_version_key');
    await expect(insert(9, 3)).rejects.toThrow('events are only appended');
    await expect(insert(0, 3)).rejects.toThrow('events are only appended');
    const upsert = `INSERT INTO events SELECT * FROM events WHERE position = 1
      ON CONFLICT (position) DO UPDATE SET data = 'changed'`;
    await expect(client.query(upsert)).rejects.toThrow('events are never changed');
    expect(await expectIntactChains(log)).toHaveLength(2);
  });

  it('isolates the member that a foreign writer stands in the way of', async () => {
    const { log } = await open();
    await log.append(appending({ 'node/1': 'absent' }));
    await (await outsider()).query("INSERT INTO events VALUES (2, 'node/7', 1, 'Foreign', 1, '{}', '{}', 0, '', '')");
    const appends = Array.from({ length: 16 }, (_, i) => log.append(appending({ [`node/${i}`]: 'any' })));
    const results = await Promise.allSettled(appends);
    const failed = results.flatMap((result, i) => (result.status === 'rejected' ? [[i, result.reason]] : []));
    expect(failed).toEqual([[7, expect.any(LogUnavailable)]]);
    expect(await log.head()).toBe(2 + 15);
  });

  it('is made once by starters that come at the same time', async () => {
    const logs = await Promise.all(Array.from({ length: 4 }, () => open()));
    const ids = await Promise.all(logs.map(({ log }) => log.logId()));
    expect(new Set(ids).size).toBe(1);
    for (const { log } of logs) await log.append(appending({ 'node/1': 'any' }));
    expect(await logs[0]?.log.head()).toBe(4);
  });

  it('gains the columns and kinds that a newer release declares, while an older one writes', async () => {
    const older = await open();
    await older.log.append(appending({}, { changes: nodeChanges('1', 1, { name: 'one' }) }));
    const schemas = [
      ...suiteSchemas.map((schema) =>
        schema.kind === 'node'
          ? { ...schema, columns: { ...schema.columns, owner: 'text' as const }, indexed: [...schema.indexed, 'owner'] }
          : schema,
      ),
      { kind: 'chassis', columns: {}, indexed: [] },
    ];
    const reading = openPostgresReader({ url, schemas, waitMs: 20_000, readers: 1 });
    const newer = await open({ schemas });
    const reader = await reading;
    closing.push(() => reader.close());
    await newer.log.append(appending({}, { changes: nodeChanges('2', 1, { owner: 'me' }) }));
    await older.log.append(appending({}, { changes: nodeChanges('3', 1, {}) }));
    const sort = { column: 'owner', descending: true };
    const found = await reader.readModel.list({ kind: 'node', where: [], sort, limit: 9 });
    expect(found?.map(({ id }) => id)).toEqual(['2', '3', '1']);
    expect(await reader.readModel.get('chassis', ['x'])).toEqual([]);
  });

  it('takes text with the character 0, which PostgreSQL can not hold, and finds it again', async () => {
    const { log, readModel } = await open();
    await log.append(appending({}, { changes: nodeChanges('1', 1, { name: 'a\0b' }) }));
    const find = (value: string) =>
      readModel.list({
        kind: 'node',
        where: [{ column: 'name', is: 'equal', value }],
        sort: { column: 'name', descending: false },
        limit: 9,
      });
    expect(await find('a\0b')).toHaveLength(1);
    expect(await find('\0')).toEqual([]);
  });

  describe('a server that can not keep a log', () => {
    it('is refused when it acknowledges before it has stored', async () => {
      const lax = `${url.replace('search_path', 'synchronous_commit%3Doff%20-c%20search_path')}`;
      await expect(open({ url: lax })).rejects.toThrow(
        'The event log cannot be opened in PostgreSQL (PostgreSQL has synchronous_commit = off, which can not keep an event log).',
      );
    });

    it('is refused when its text is not UTF-8', async () => {
      const home = await server.createDatabase();
      const client = await outsider(home);
      await client.query(
        `CREATE DATABASE bytes_only ENCODING 'SQL_ASCII' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
      );
      await expect(open({ url: home.replace(/[^/]+$/, 'bytes_only') })).rejects.toThrow('server_encoding = SQL_ASCII');
    });

    it('is named by its answer, its address and password never', async () => {
      const opening = open({ url: 'postgres://user:secret@127.0.0.1:1/name' });
      await expect(opening).rejects.toThrow(/^The event log cannot be opened in PostgreSQL \(.*ECONNREFUSED.*\)\.$/);
      await expect(opening).rejects.not.toThrow('secret');
    });
  });

  describe('a reader', () => {
    const read = async (waitMs: number, schemas = suiteSchemas) => {
      const reader = await openPostgresReader({ url, schemas, waitMs, readers: 1 });
      closing.push(() => reader.close());
      return reader;
    };

    it('waits for the writer to make the log', async () => {
      await expect(read(0)).rejects.toThrow(/cannot be read \(.*log_identity.*\); is the conductor running\?$/);
      const reading = read(20_000);
      await open();
      expect(await (await reading).reader.head()).toBe(0);
    });

    it('says what a log of another release lacks', async () => {
      await open();
      const schemas = [...suiteSchemas, { kind: 'chassis', columns: {}, indexed: [] }];
      await expect(read(0, schemas)).rejects.toThrow('it has no chassis.id, written by another release');
    });

    it('sees an append once it is acknowledged', async () => {
      const { log, liveness } = await open();
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

    it('rejects after close', async () => {
      await open();
      const reader = await read(0);
      await reader.close();
      await expect(reader.reader.head()).rejects.toThrow('the log is closed');
    });
  });

  it('has limits on the connections of a writer, and readers that can not write', async () => {
    await open({ times: { lockMs: 1_234, statementMs: 2_345, idleInTransactionMs: 3_456 } });
    const sources = await Promise.all([
      connections.openWriterSource(url, { lockMs: 1_234, statementMs: 2_345, idleInTransactionMs: 3_456 }),
      connections.openReaderSource(url, 1, { lockMs: 1_234, statementMs: 2_345, idleInTransactionMs: 3_456 }),
    ]);
    closing.push(() => Promise.all(sources.map((source) => source.destroy())));
    const [writer, reader] = sources;
    const setting = async (name: string) => (await writer.query<Record<string, string>[]>(`SHOW ${name}`))[0]?.[name];
    expect(await setting('lock_timeout')).toBe('1234ms');
    expect(await setting('statement_timeout')).toBe('2345ms');
    expect(await setting('idle_in_transaction_session_timeout')).toBe('3456ms');
    await expect(reader.query("INSERT INTO secret_keys VALUES ('k', 'w')")).rejects.toThrow('read-only transaction');
  });
});
