import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log and what derives from it, but for the documents: their tables follow the declared kinds. */
const tables = [
  `CREATE TABLE log_identity (one INTEGER PRIMARY KEY CHECK (one = 1), log_id TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  `CREATE TABLE events (
     position INTEGER PRIMARY KEY,
     stream_id TEXT NOT NULL,
     version INTEGER NOT NULL,
     type TEXT NOT NULL,
     schema INTEGER NOT NULL,
     data TEXT NOT NULL,
     meta TEXT NOT NULL,
     recorded_at INTEGER NOT NULL,
     prev_hash TEXT NOT NULL,
     hash TEXT NOT NULL,
     UNIQUE (stream_id, version))`,
  `CREATE TABLE streams (
     stream_id TEXT PRIMARY KEY, version INTEGER NOT NULL, removed INTEGER NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE commands (
     command_id TEXT PRIMARY KEY, first_position INTEGER NOT NULL, last_position INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE unique_keys (
     index_name TEXT NOT NULL, value TEXT NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (index_name, value)) WITHOUT ROWID`,
  `CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL)`,
  `CREATE TABLE deadlines (
     stream_id TEXT NOT NULL, n INTEGER NOT NULL, attempt INTEGER NOT NULL, due INTEGER NOT NULL, status TEXT NOT NULL,
     PRIMARY KEY (stream_id, n)) WITHOUT ROWID`,
  `CREATE INDEX deadlines_due ON deadlines (status, due, stream_id, n)`,
  `CREATE TABLE effects (
     opened INTEGER PRIMARY KEY AUTOINCREMENT,
     stream_id TEXT NOT NULL,
     n INTEGER NOT NULL,
     attempt INTEGER,
     json TEXT NOT NULL,
     claim INTEGER NOT NULL DEFAULT 0,
     owner TEXT,
     leased_until INTEGER,
     UNIQUE (stream_id, n))`,
  `CREATE TABLE conductors (
     hostname TEXT PRIMARY KEY, conductor_group TEXT NOT NULL, drivers TEXT NOT NULL, online INTEGER NOT NULL,
     capabilities TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
  `CREATE TABLE secret_keys (key_id TEXT PRIMARY KEY, wrapped TEXT NOT NULL)`,
];

/**
 * The database itself keeps the log append-only. The last trigger is there because INSERT OR REPLACE deletes without
 * asking the one for DELETE.
 */
const triggers = [
  `CREATE TRIGGER events_no_update BEFORE UPDATE ON events
     BEGIN SELECT RAISE(ABORT, 'events are never changed'); END`,
  `CREATE TRIGGER events_no_delete BEFORE DELETE ON events
     BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END`,
  `CREATE TRIGGER events_append_only BEFORE INSERT ON events
     WHEN NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM events)
       OR EXISTS (SELECT 1 FROM events WHERE stream_id = NEW.stream_id AND version = NEW.version)
     BEGIN SELECT RAISE(ABORT, 'events are only appended'); END`,
];

class CreateEventLog implements MigrationInterface {
  readonly name = 'CreateEventLog1764460800001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...triggers]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('an event log is never taken back');
  }
}

export const migrations = [CreateEventLog];
