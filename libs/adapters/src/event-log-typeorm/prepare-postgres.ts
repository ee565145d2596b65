import type { ClientBase } from 'pg';
import { MigrationExecutor, type DataSource } from 'typeorm';
import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Instant } from '@lib/ports';
import { MIGRATION_LOCK } from './advisory-locks';
import { makeLog } from './identity';
import { openMigrationSource } from './postgres-connections';
import { postgresSql } from './postgres-sql';
import type { Sql } from './sql';

/** What durability and the order of text need of the server. */
const needed: Readonly<Record<string, RegExp>> = {
  server_encoding: /^UTF8$/,
  fsync: /^on$/,
  full_page_writes: /^on$/,
  synchronous_commit: /^(on|local|remote_write|remote_apply)$/,
};

/** Makes or migrates the tables, one starter at a time. Rejects with a sentence when the server cannot keep a log. */
export async function preparePostgres(url: string, schemas: SchemaIndex, now: Instant): Promise<void> {
  const source = await openMigrationSource(url);
  try {
    await prepare(source, schemas, now);
  } finally {
    // The lock goes with the session.
    await source.destroy();
  }
}

async function prepare(source: DataSource, schemas: SchemaIndex, now: Instant): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    const sql = postgresSql((await runner.connect()) as ClientBase);
    await assertSettings(sql);
    await sql.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'all';
    await executor.executePendingMigrations();
    await sql.query('BEGIN');
    await makeLog(sql, schemas, now);
    await sql.query('COMMIT');
  } finally {
    await runner.release();
  }
}

async function assertSettings(sql: Sql): Promise<void> {
  for (const [setting, good] of Object.entries(needed)) {
    const [row] = await sql.query(`SHOW ${setting}`);
    const actual = String(row?.[setting]);
    if (!good.test(actual)) throw new Error(`PostgreSQL has ${setting} = ${actual}, which can not keep an event log`);
  }
}
