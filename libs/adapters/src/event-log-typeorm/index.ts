/**
 * The event log on SQL through TypeORM: a writing connection, its queue with group commit, and readers for any process.
 * SQLite means one host, a local file system and one writer; PostgreSQL takes any number of either.
 */
export { openPostgresLog, openPostgresReader } from './open-postgres-log';
export type { PostgresLogOptions, PostgresReaderOptions } from './open-postgres-log';
export type { PostgresTimes } from './postgres-connections';
export { openSqliteLog, sqlitePath, type SqliteLogOptions } from './open-sqlite-log';
export { openSqliteReader, type SqliteReaderOptions } from './open-sqlite-reader';
export type { StoredLog, StoredLogReader } from './stored-log';
