import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { LogUnavailable } from '@lib/ports';
import { appending, suiteSchemas as schemas } from '@lib/testing/event-log-suite';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { openPostgresLog, openSqliteLog, sqlitePath, type StoredLog } from '.';
import { openReader, openWriter, type Connection } from './connections';
import { failure, isLost, postgresSql } from './postgres-sql';
import { asUnavailable, DatabaseFailure } from './sql';

/** What the log makes of a database's no: one row was refused, or nothing can be stored now. */
interface Read {
  readonly code: string;
  readonly violation: boolean;
}

async function read(work: Promise<unknown>): Promise<Read & { readonly lost: boolean }> {
  const error = await work.then(
    () => new Error('it worked'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof DatabaseFailure)) throw error;
  expect(asUnavailable(error)).toBeInstanceOf(LogUnavailable);
  return { code: error.code, violation: error.violation, lost: isLost(error) };
}

/** Whoever appends at a version that is gone is told the version: that is no failure of the database. */
async function expectConflict({ log }: StoredLog): Promise<void> {
  await log.append(appending({ 'node/1': 'absent' }));
  const conflict = { kind: 'version', stream: 'node/1', actual: 1 };
  expect(await log.append(appending({ 'node/1': 'absent' }))).toEqual({ ok: false, conflict });
}

const PAGE_BYTES = 4096;

describe('EVS-13: what SQLite says', () => {
  let home: string;
  let path: string;
  const opened: { close(): Promise<void> }[] = [];
  const open = async (how = openWriter): Promise<Connection> => {
    const connection = await how(path);
    opened.push(connection);
    return connection;
  };

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'ferrolog-codes-'));
    path = sqlitePath(home);
    const log = await openSqliteLog({ home, schemas, clock: Date, readers: 1 });
    await expectConflict(log);
    await log.close();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    rmSync(home, { recursive: true });
  });

  it('of a row that is there already, and of an event that is changed, is about this row', async () => {
    const { sql } = await open();
    const key = "INSERT INTO secret_keys VALUES ('k', 'w')";
    await sql.run(key);
    const refused = { code: 'SQLITE_CONSTRAINT', violation: true };
    expect(await read(sql.run(key))).toMatchObject(refused);
    expect(await read(sql.run("UPDATE events SET data = ''"))).toMatchObject(refused);
    expect(await read(sql.run('INSERT INTO events SELECT * FROM events WHERE position = 1'))).toMatchObject(refused);
  });

  it('of another writer, after a wait', async () => {
    const [{ sql: one }, { sql: two }] = [await open(), await open()];
    await one.query('BEGIN IMMEDIATE');
    await two.query('PRAGMA busy_timeout = 30');
    expect(await read(two.query('BEGIN IMMEDIATE'))).toMatchObject({ code: 'SQLITE_BUSY', violation: false });
    await one.query('ROLLBACK');
    await two.query('BEGIN IMMEDIATE');
    await two.query('ROLLBACK');
  });

  it('of a file that may not grow, or not be written', async () => {
    const { sql } = await open();
    await sql.query('PRAGMA max_page_count = 1');
    const big = "INSERT INTO secret_keys VALUES ('big', hex(randomblob(1000000)))";
    expect(await read(sql.run(big))).toMatchObject({ code: 'SQLITE_FULL', violation: false });
    const reader = await open(openReader);
    expect(await read(reader.sql.run(big))).toMatchObject({ code: 'SQLITE_READONLY', violation: false });
  });

  it('of a file that is damaged, or none of its own', async () => {
    const { sql } = await open(openReader);
    const [root] = await sql.query("SELECT rootpage FROM sqlite_master WHERE name = 'events'");
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(PAGE_BYTES, 7), 0, PAGE_BYTES, (Number(root?.['rootpage']) - 1) * PAGE_BYTES);
    closeSync(file);
    expect(await read(sql.query('SELECT * FROM events'))).toMatchObject({ code: 'SQLITE_CORRUPT', violation: false });
    writeFileSync(path, 'x'.repeat(10_000));
    await expect(openReader(path)).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
  });
});

describeWithPostgres('EVS-13: what PostgreSQL says', () => {
  let server: ScratchPostgres;
  let url: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createSchema();
    const log = await openPostgresLog({ url, schemas, clock: Date, readers: 1 });
    await expectConflict(log);
    await log.close();
  }, 120_000);
  afterAll(() => server.stop());
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end().catch(() => undefined);
  });

  async function connected(...settings: string[]) {
    const client = await server.connect(url);
    clients.push(client);
    for (const setting of settings) await client.query(`SET ${setting}`);
    return { client, sql: postgresSql(client) };
  }
  const key = (id: string) => `INSERT INTO secret_keys VALUES ('${id}', 'w')`;

  it('of a row that is there already, and of an event that is changed, is about this row', async () => {
    const { sql } = await connected();
    await sql.run(key('k'));
    expect(await read(sql.run(key('k')))).toEqual({ code: '23505', violation: true, lost: false });
    expect(await read(sql.run("UPDATE events SET data = ''"))).toEqual({ code: 'P0001', violation: true, lost: false });
  });

  it('of another transaction, is about the moment', async () => {
    const [one, two] = [await connected(), await connected("lock_timeout = '50ms'", "deadlock_timeout = '10s'")];
    await one.sql.run(key('a'));
    await one.sql.run(key('b'));
    const touch = (id: string) => `UPDATE secret_keys SET wrapped = 'x' WHERE key_id = '${id}'`;
    await two.client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
    await two.client.query('SELECT * FROM secret_keys');
    await one.sql.run(touch('a'));
    expect(await read(two.sql.run(touch('a')))).toEqual({ code: '40001', violation: false, lost: false });
    await two.client.query('ROLLBACK');

    await one.client.query('BEGIN');
    await one.sql.run(touch('a'));
    expect(await read(two.sql.run(touch('a')))).toEqual({ code: '55P03', violation: false, lost: false });

    await two.client.query("SET lock_timeout = 0; SET deadlock_timeout = '20ms'");
    await one.client.query("SET deadlock_timeout = '10s'");
    await two.client.query('BEGIN');
    await two.sql.run(touch('b'));
    const waiting = one.sql.run(touch('b'));
    await pause(50);
    expect(await read(two.sql.run(touch('a')))).toEqual({ code: '40P01', violation: false, lost: false });
    await two.client.query('ROLLBACK');
    await waiting;
    await one.client.query('ROLLBACK');
  });

  it('of its own limits, is about the moment', async () => {
    const { sql, client } = await connected(
      "statement_timeout = '50ms'",
      "temp_file_limit = '64kB'",
      "work_mem = '64kB'",
    );
    expect(await read(sql.query('SELECT pg_sleep(5)'))).toEqual({ code: '57014', violation: false, lost: false });
    await client.query('SET statement_timeout = 0');
    const sorted = 'SELECT x FROM generate_series(1, 100000) AS x ORDER BY md5(x::text)';
    expect(await read(sql.query(sorted))).toEqual({ code: '53400', violation: false, lost: false });
    await client.query('SET default_transaction_read_only = on');
    expect(await read(sql.run(key('r')))).toEqual({ code: '25006', violation: false, lost: false });
    const full = "DO $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$";
    expect(await read(sql.query(full))).toEqual({ code: '53100', violation: false, lost: false });
  });

  it('of a session that it ends, is about the connection', async () => {
    const [{ sql }, { client }] = [await connected(), await connected()];
    const [{ pid }] = (await sql.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    const sleeping = sql.query('SELECT pg_sleep(10)');
    await pause(50);
    await client.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(await read(sleeping)).toEqual({ code: '57P01', violation: false, lost: true });
    expect(await read(sql.query('SELECT 1'))).toMatchObject({ violation: false, lost: true });
  });

  it('nothing, is about the connection', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    const { port } = listener.address() as { port: number };
    await new Promise((resolve) => listener.close(resolve));
    const refused = await new Client({ connectionString: `postgres://x@127.0.0.1:${port}/x` })
      .connect()
      .catch((error: unknown) => failure(error));
    expect(refused).toMatchObject({ code: '', violation: false });
    expect(isLost(refused as DatabaseFailure)).toBe(true);
  });
});
