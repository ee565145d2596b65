/**
 * The event log on SQL through TypeORM: one writer, its queue with group commit, and readers for any process.
 * SQLite means one host and a local file system.
 */
export { openSqliteLog, sqlitePath, type SqliteLog, type SqliteLogOptions } from './open-sqlite-log';
export { openSqliteReader, type SqliteReader, type SqliteReaderOptions } from './open-sqlite-reader';
