import type { Change, DocumentKind, Scalar } from './read-model';
import type { StreamId } from './stream-id';

/** An event as a rule decided it; `data` is a JSON value. */
export interface NewEvent {
  readonly type: string;
  readonly schema: number;
  readonly data: unknown;
}

/** Who asked, when, and why: stored as text beside every event of one append. */
export interface EventMeta {
  /** Unique in the log: one command, one append. */
  readonly commandId: string;
  readonly requestId: string | null;
  /** The id that the request has at the service which it comes from; absent without one. */
  readonly globalRequestId?: string;
  /** The user named in history rows; null without authentication. */
  readonly actor: string | null;
  /** The service and host that decided. */
  readonly source: string;
  /** The command's own time, epoch ms: what the rules used as `now`. */
  readonly at: number;
  /** Command id of what caused this one (an effect's outcome names the command that opened it). */
  readonly causation: string | null;
  /** Of the command as it was asked (TransportBox.fingerprint): its id with another content is no repetition. */
  readonly fingerprint?: string;
}

/** A stored event, byte for byte as written. */
export interface RecordedEvent {
  /** Global order, from 1, no gaps among committed events that a reader could skip. */
  readonly position: number;
  readonly stream: StreamId;
  /** Order in the stream, from 1, never restarting, also when the resource is removed and created again. */
  readonly version: number;
  readonly type: string;
  readonly schema: number;
  /** JSON text. */
  readonly data: string;
  /** JSON text of EventMeta. */
  readonly meta: string;
  /** Epoch ms; never decreases along position. */
  readonly recordedAt: number;
  /** Hash of the predecessor in the stream, hex; 64 zeros for the first. The framing: event-hash.ts. */
  readonly prevHash: string;
  readonly hash: string;
}

/** A version, or `absent` (no event, or the last one is a removal), or `any`. */
export type Expected = number | 'absent' | 'any';

export interface StreamWrite {
  readonly stream: StreamId;
  readonly expected: Expected;
  readonly events: readonly NewEvent[];
  /** True when the last event removes the resource: the stream then counts as absent. */
  readonly removes?: boolean;
}

/** A version that the decision relied on and does not change. */
export interface Guard {
  readonly stream: StreamId;
  readonly version: number;
}

/**
 * The claim under which an effect was run (`ClaimedEffect.claim`): what a worker brings back counts only while the effect
 * is open under this claim (architecture, rule 5).
 */
export interface Fence {
  readonly stream: StreamId;
  readonly n: number;
  readonly claim: number;
}

/** After the append no document of the kind may hold the value: what a removal had to know of and take along. */
export interface Emptiness {
  readonly kind: DocumentKind;
  readonly column: string;
  readonly value: Scalar;
}

/** A large thing, stored compressed by content hash in the append's transaction. */
export interface Blob {
  /** Hex SHA-256 of the bytes. */
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/**
 * One decision: all or nothing. Each stream is named by one write at most. An append without events may carry changes
 * (a contact row): its command id is then not recorded.
 */
export interface Append {
  readonly writes: readonly StreamWrite[];
  readonly guards?: readonly Guard[];
  readonly fences?: readonly Fence[];
  readonly empties?: readonly Emptiness[];
  readonly meta: EventMeta;
  /** What derives from the events: written in the same transaction. */
  readonly changes: readonly Change[];
  readonly blobs?: readonly Blob[];
}

export type AppendConflict =
  /**
   * Someone else appended to the stream, or a guard moved. An emptiness that does not hold is a guard that moved: it names
   * the first document that remains, as `<kind>/<id>` with its version.
   */
  | { readonly kind: 'version' | 'guard'; readonly stream: StreamId; readonly actual: number }
  /** The effect was closed or claimed by another worker: the append is old news. */
  | { readonly kind: 'fence'; readonly stream: StreamId }
  /** A unique key (node name, MAC, instance) is taken by another resource. */
  | { readonly kind: 'key'; readonly index: string; readonly value: string; readonly owner: StreamId }
  /** The command id is in the log already: its outcome is the events found there. */
  | { readonly kind: 'command'; readonly commandId: string };

export type AppendResult =
  | { readonly ok: true; readonly events: readonly RecordedEvent[] }
  | { readonly ok: false; readonly conflict: AppendConflict };

/** The store cannot be written now. The api answers 503. */
export class LogUnavailable extends Error {
  constructor(
    message: string,
    /** False: nothing was stored. True: the store broke off while it committed, and whether it did could not be learned. */
    readonly outcomeUnknown = false,
  ) {
    super(message);
    this.name = 'LogUnavailable';
  }
}

/** Reading the log: safe from any process. */
export interface EventReader {
  /** Made with the log; names it on the bus (architecture, rule 6). */
  logId(): Promise<string>;
  /** Events of one stream with version > after, in order, at most `limit`. */
  readStream(stream: StreamId, after: number, limit: number): Promise<RecordedEvent[]>;
  /** Events of the whole log with position > after, in order, at most `limit`. */
  readAll(after: number, limit: number): Promise<RecordedEvent[]>;
  /** The highest committed position, 0 for an empty log. */
  head(): Promise<number>;
  /** The events that a command wrote, in order; empty when unknown. */
  readCommand(commandId: string): Promise<RecordedEvent[]>;
  /** Last version of each stream, 0 and absent when it has no event. */
  versions(streams: readonly StreamId[]): Promise<Map<StreamId, { version: number; removed: boolean }>>;
  readBlob(hash: string): Promise<Uint8Array | null>;
}

/** Writing the log: one writer per SQLite file (architecture, rule 10). */
export interface EventLog extends EventReader {
  /**
   * Nobody but this process appends to the log (architecture, rule 10): what it has folded is the newest there is. Absent
   * where others append as well.
   */
  readonly soleWriter?: boolean;
  /**
   * Queued behind what is waiting and committed with it as one transaction; resolves after commit.
   * Losers of a batch get their conflict, the rest is written. Rejects with LogUnavailable, and with a TypeError for an
   * append that no store could take (a stream written twice, an undeclared column): a bug of the caller.
   */
  append(append: Append): Promise<AppendResult>;
  /**
   * Calls back after each commit of this writer with the events of that commit in order of position, before the appends
   * resolve. A wake-up, not the truth: other writers of the same log are not heard. Returns what ends it.
   */
  onCommit(listener: (events: readonly RecordedEvent[]) => void): () => void;
  close(): Promise<void>;
}
