import type { RecordedEvent } from './event-log';
import type { DocumentKind, Scalar } from './read-model';
import type { StreamId } from './stream-id';

/** Tables beside the documents that follow from the events: heads of streams, outcomes of commands, and the rest. */
export type PlainTable = 'streams' | 'commands' | 'unique_keys' | 'deadlines' | 'effects';

/** Where rows derive to. */
export type DerivedTable = { readonly kind: DocumentKind } | { readonly plain: PlainTable };

/**
 * A row by the names of its columns: of a document `id`, `version`, `json` and those declared for its kind; of a plain
 * table those of `plainColumns`. What does not follow from the log (creation order, leases) is left out.
 */
export type DerivedRow = Readonly<Record<string, Scalar>>;

/** Columns of the plain tables; the first `keys` of them identify a row. */
export const plainColumns = {
  streams: { keys: 1, columns: { stream_id: 'text', version: 'integer', removed: 'boolean', hash: 'text' } },
  commands: { keys: 1, columns: { command_id: 'text', first_position: 'integer', last_position: 'integer' } },
  unique_keys: { keys: 2, columns: { index_name: 'text', value: 'text', owner: 'text' } },
  deadlines: {
    keys: 2,
    columns: { stream_id: 'text', n: 'integer', attempt: 'integer', due: 'integer', status: 'text' },
  },
  effects: { keys: 2, columns: { stream_id: 'text', n: 'integer', attempt: 'integer', json: 'text' } },
} as const satisfies Record<PlainTable, { keys: number; columns: Record<string, 'text' | 'integer' | 'boolean'> }>;

/** After the one (exclusive), up to the other (inclusive; null: to the end); or one value. */
export type Range = { readonly after: string; readonly upTo: string | null } | { readonly only: string };

export interface StreamPlace {
  readonly stream: StreamId;
  readonly version: number;
}

/**
 * The log and what is stored beside it, read in pages in the order of streams: one at a time is enough to compare them.
 * Safe from any process; no read transaction outlives its page.
 */
export interface DerivedTables {
  /** Events after a place, by stream (in the order of its bytes) and version. */
  eventsByStream(after: StreamPlace, limit: number): Promise<RecordedEvent[]>;
  /** Documents whose column (`id`, or a text column of the kind) lies in the range. */
  documents(kind: DocumentKind, column: string, range: Range): Promise<DerivedRow[]>;
  /** Rows whose stream lies in the range. */
  ofStreams(table: 'streams' | 'deadlines' | 'effects', range: Range): Promise<DerivedRow[]>;
  /** Rows with these first columns; those that are not there are left out. */
  byKey(table: 'commands' | 'unique_keys', keys: readonly (readonly string[])[]): Promise<DerivedRow[]>;
  /** Rows in the order of their keys, after these; null: from the first. */
  page(table: 'commands' | 'unique_keys', after: readonly string[] | null, limit: number): Promise<DerivedRow[]>;
  countKeys(): Promise<number>;
  /** Commands whose events begin at or before the position. */
  countCommands(upTo: number): Promise<number>;
}

/** A row that is made anew. Of each table the rows get their creation order by `position`, then `index`. */
export interface RebuiltRow {
  readonly table: DerivedTable;
  readonly row: DerivedRow;
  /** Of the first event that the row is there for. */
  readonly position: number;
  readonly index: number;
}

/** Makes all derived tables anew beside those that are read. */
export interface DerivedTablesRebuild {
  /** Rejects with a sentence when another process writes the log. Forgets what an interrupted rebuild left. */
  begin(): Promise<void>;
  add(rows: readonly RebuiltRow[]): Promise<void>;
  /**
   * Puts the rows added in the place of those that are read, in one transaction; effects keep their claims and leases.
   * Rejects with a sentence, and changes nothing, when the log has grown beyond `head` meanwhile.
   */
  swap(head: number): Promise<void>;
  /** Forgets what was added. */
  discard(): Promise<void>;
}
