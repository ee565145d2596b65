import type { MigrationInterface, QueryRunner } from 'typeorm';
import { postgres, sqlite, type Dialect } from './dialect';

/** The log and what derives from it, but for the documents: their tables follow the declared kinds. */
const tables = ({ text, integer, bytes, serialKey, byKey }: Dialect): string[] => [
  `CREATE TABLE log_identity (
     one ${integer} PRIMARY KEY CHECK (one = 1), log_id ${text} NOT NULL, created_at ${integer} NOT NULL)`,
  `CREATE TABLE events (
     position ${integer} PRIMARY KEY,
     stream_id ${text} NOT NULL,
     version ${integer} NOT NULL,
     type ${text} NOT NULL,
     schema ${integer} NOT NULL,
     data ${text} NOT NULL,
     meta ${text} NOT NULL,
     recorded_at ${integer} NOT NULL,
     prev_hash ${text} NOT NULL,
     hash ${text} NOT NULL,
     UNIQUE (stream_id, version))`,
  `CREATE TABLE streams (
     stream_id ${text} PRIMARY KEY, version ${integer} NOT NULL, removed ${integer} NOT NULL, hash ${text} NOT NULL) ${byKey}`,
  `CREATE TABLE commands (
     command_id ${text} PRIMARY KEY, first_position ${integer} NOT NULL, last_position ${integer} NOT NULL) ${byKey}`,
  `CREATE TABLE unique_keys (
     index_name ${text} NOT NULL, value ${text} NOT NULL, owner ${text} NOT NULL, PRIMARY KEY (index_name, value)) ${byKey}`,
  `CREATE TABLE blobs (hash ${text} PRIMARY KEY, bytes ${bytes} NOT NULL)`,
  `CREATE TABLE deadlines (
     stream_id ${text} NOT NULL, n ${integer} NOT NULL, attempt ${integer} NOT NULL, due ${integer} NOT NULL,
     status ${text} NOT NULL, PRIMARY KEY (stream_id, n)) ${byKey}`,
  `CREATE INDEX deadlines_due ON deadlines (status, due, stream_id, n)`,
  `CREATE TABLE effects (
     opened ${serialKey},
     stream_id ${text} NOT NULL,
     n ${integer} NOT NULL,
     attempt ${integer},
     json ${text} NOT NULL,
     claim ${integer} NOT NULL DEFAULT 0,
     owner ${text},
     leased_until ${integer},
     UNIQUE (stream_id, n))`,
  `CREATE TABLE conductors (
     hostname ${text} PRIMARY KEY, conductor_group ${text} NOT NULL, drivers ${text} NOT NULL, online ${integer} NOT NULL,
     capabilities ${text} NOT NULL, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
  `CREATE TABLE secret_keys (key_id ${text} PRIMARY KEY, wrapped ${text} NOT NULL)`,
];

/** A row per process, not per host name. Signs of life are no truth: those of conductors that run come again at once. */
const conductorsById = ({ text, integer }: Dialect): string[] => [
  `DROP TABLE conductors`,
  `CREATE TABLE conductors (
     id ${text} PRIMARY KEY, hostname ${text} NOT NULL, conductor_group ${text} NOT NULL, drivers ${text} NOT NULL,
     online ${integer} NOT NULL, capabilities ${text} NOT NULL, created_at ${integer} NOT NULL,
     updated_at ${integer} NOT NULL)`,
];

/**
 * The database itself keeps the log append-only. The last trigger is there because INSERT OR REPLACE deletes without
 * asking the one for DELETE.
 */
const sqliteTriggers = [
  `CREATE TRIGGER events_no_update BEFORE UPDATE ON events
     BEGIN SELECT RAISE(ABORT, 'events are never changed'); END`,
  `CREATE TRIGGER events_no_delete BEFORE DELETE ON events
     BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END`,
  `CREATE TRIGGER events_append_only BEFORE INSERT ON events
     WHEN NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM events)
       OR EXISTS (SELECT 1 FROM events WHERE stream_id = NEW.stream_id AND version = NEW.version)
     BEGIN SELECT RAISE(ABORT, 'events are only appended'); END`,
];

/**
 * The same for PostgreSQL, once per statement. Positions are unique, so a run of new ones without a hole whose
 * predecessor is there can only stand at the end.
 */
const postgresTriggers = [
  `CREATE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'events are never %', TG_ARGV[0]; END $$`,
  `CREATE TRIGGER events_no_update BEFORE UPDATE ON events
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change('changed')`,
  `CREATE TRIGGER events_no_delete BEFORE DELETE ON events
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change('deleted')`,
  `CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change('deleted')`,
  `CREATE FUNCTION assert_events_appended() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE low BIGINT; high BIGINT; many BIGINT;
     BEGIN
       SELECT min(position), max(position), count(*) INTO low, high, many FROM added;
       IF many > 0 AND (high - low + 1 <> many OR low < 1
           OR (low > 1 AND NOT EXISTS (SELECT 1 FROM events WHERE position = low - 1))) THEN
         RAISE EXCEPTION 'events are only appended';
       END IF;
       RETURN NULL;
     END $$`,
  `CREATE TRIGGER events_append_only AFTER INSERT ON events REFERENCING NEW TABLE AS added
     FOR EACH STATEMENT EXECUTE FUNCTION assert_events_appended()`,
];

const migration = (name: string, statements: readonly string[]) =>
  class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    async down(): Promise<void> {
      throw new Error('an event log is never taken back');
    }
  };

export const sqliteMigrations = [
  migration('CreateEventLog1764460800001', [...tables(sqlite), ...sqliteTriggers]),
  migration('ConductorsById1764547200001', conductorsById(sqlite)),
];

export const postgresMigrations = [
  migration('CreateEventLog1764460800001', [...tables(postgres), ...postgresTriggers]),
  migration('ConductorsById1764547200001', conductorsById(postgres)),
];
