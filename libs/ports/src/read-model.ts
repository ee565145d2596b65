import type { StreamId } from './stream-id';
import type { Instant } from './clock';

/** A value that a read-model column can hold. Booleans are stored as such; times as ISO text; null is absent. */
export type Scalar = string | number | boolean | null;

/** Kinds of stored documents. One table each, columns declared in `documentSchemas` of the adapter's caller. */
export type DocumentKind = string;

/** Columns of a kind that may be filtered and sorted on; the document itself is JSON text. */
export interface DocumentSchema {
  readonly kind: DocumentKind;
  readonly columns: Readonly<Record<string, 'text' | 'integer' | 'boolean'>>;
  /** Columns that get an index of their own. */
  readonly indexed: readonly string[];
}

/** What an append changes beside the log: derived data, made anew by `rebuild`. */
export type Change =
  | {
      readonly change: 'put';
      readonly kind: DocumentKind;
      readonly id: string;
      /** The stream's version that this document shows. */
      readonly version: number;
      /** JSON text, stored byte for byte. */
      readonly json: string;
      readonly columns: Readonly<Record<string, Scalar>>;
    }
  | { readonly change: 'remove'; readonly kind: DocumentKind; readonly id: string }
  | { readonly change: 'removeWhere'; readonly kind: DocumentKind; readonly column: string; readonly value: Scalar }
  /** Keeps the `keep` newest documents of the kind whose column has the value. */
  | {
      readonly change: 'trim';
      readonly kind: DocumentKind;
      readonly column: string;
      readonly value: Scalar;
      readonly keep: number;
    }
  /**
   * A unique key; the append fails with a `key` conflict when another stream holds it. Within one append releases count
   * before the claims of other owners, whatever their order; for one owner and value the last word counts.
   */
  | { readonly change: 'claim'; readonly index: string; readonly value: string; readonly owner: StreamId }
  | { readonly change: 'release'; readonly index: string; readonly value: string; readonly owner: StreamId }
  | {
      readonly change: 'deadline';
      readonly stream: StreamId;
      /** Number of the deadline in its stream; never restarts. */
      readonly n: number;
      readonly attempt: number;
      readonly due: Instant;
      readonly status: 'open' | 'held' | 'closed';
    }
  | {
      readonly change: 'effect';
      readonly stream: StreamId;
      /** Number of the effect in its stream; effects of a stream run one at a time in this order. */
      readonly n: number;
      readonly attempt: number | null;
      readonly status: 'open' | 'closed';
      /** JSON text: what to do, with sealed secrets only. Ignored when closing. */
      readonly json: string;
    };

export interface StoredDocument {
  readonly id: string;
  /** Creation order within the kind. */
  readonly seq: number;
  readonly version: number;
  readonly json: string;
}

export type Condition =
  | { readonly column: string; readonly is: 'equal'; readonly value: Scalar }
  | { readonly column: string; readonly is: 'in'; readonly values: readonly Scalar[] }
  | { readonly column: string; readonly is: 'null' | 'not null' }
  /** Case-sensitive substring; `%` and `_` are ordinary characters. */
  | { readonly column: string; readonly is: 'containing'; readonly value: string }
  | { readonly anyOf: readonly Condition[] };

export interface DocumentQuery {
  readonly kind: DocumentKind;
  readonly where: readonly Condition[];
  /** `seq` is the creation order. Ties are ordered by seq in the same direction; nulls come first ascending. */
  readonly sort: { readonly column: string; readonly descending: boolean };
  readonly limit: number;
  /** Id of the last document of the page before; unknown ids make `list` answer null. */
  readonly after?: string;
}

export interface OpenDeadline {
  readonly stream: StreamId;
  readonly n: number;
  readonly attempt: number;
  readonly due: Instant;
}

export interface OpenEffect {
  readonly stream: StreamId;
  readonly n: number;
  readonly attempt: number | null;
  readonly json: string;
}

export interface ClaimedEffect extends OpenEffect {
  /** Grows with every claim of this effect; an outcome that names an older one is old news. */
  readonly claim: number;
}

export interface ReadModel {
  /** Documents by id; missing ids are left out. */
  get(kind: DocumentKind, ids: readonly string[]): Promise<StoredDocument[]>;
  list(query: DocumentQuery): Promise<StoredDocument[] | null>;
  /** How many documents meet all of these conditions; counts no further than `most`. */
  count(kind: DocumentKind, where: readonly Condition[], most: number): Promise<number>;
  /** Streams that hold these values of a unique index; values nobody holds are left out. */
  owners(index: string, values: readonly string[]): Promise<Map<string, StreamId>>;
  /** Open (not held) deadlines in due order, due at or before `until`. */
  deadlines(until: Instant, limit: number): Promise<OpenDeadline[]>;
  readBlob(hash: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/** Which worker runs which effect: leases live in the database, not in the log (architecture, rule 5). */
export interface EffectLeases {
  /**
   * Claims the first open effect of up to `limit` streams whose first open effect is not leased beyond `now`;
   * the lease ends at now + leaseMs.
   */
  claim(owner: string, now: Instant, leaseMs: number, limit: number): Promise<ClaimedEffect[]>;
  /** Extends the lease if this claim still stands; false when it was taken over or closed. */
  renew(effect: { stream: StreamId; n: number; claim: number }, owner: string, until: Instant): Promise<boolean>;
  /** Gives up all leases of an owner (graceful stop, a dead predecessor); null: of every owner (the only writer's start). */
  release(owner: string | null): Promise<void>;
}

/** A conductor as its peers see it; a row with a heartbeat, not in the log (contract: other-resources.md §8). */
export interface ConductorRow {
  /** Drawn by each process at its start: host names are spelt anew, and given twice. Owns the leases. */
  readonly id: string;
  readonly hostname: string;
  readonly conductorGroup: string;
  readonly drivers: readonly string[];
  readonly online: boolean;
  /** JSON text: what the conductor serves (interfaces and defaults per hardware type). */
  readonly capabilities: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Liveness {
  beat(row: Omit<ConductorRow, 'updatedAt'>, now: Instant): Promise<void>;
  /** By host name, then by age. */
  conductors(): Promise<ConductorRow[]>;
  /** Removes the rows of conductors that are gone and have a successor. */
  forget(ids: readonly string[]): Promise<void>;
}
