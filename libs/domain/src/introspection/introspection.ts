import type { JsonObject } from './json';
import { invalid } from './refusal';
import { type IntrospectionEvent, type IntrospectionState, nextIntrospectionState } from './states';

/** What a ramdisk's data is matched by. Gone once the run has ended, so that late data finds nobody. */
export interface LookupAttributes {
  readonly macs: readonly string[];
  readonly bmcAddresses: readonly string[];
}

/** One row of the inspector's cache: the last run of a node. Times are epoch ms. */
export interface Introspection {
  readonly uuid: string;
  /** Counts every start the inspector accepted; jobs carry it, so that an old ramdisk's job decides nothing. */
  readonly run: number;
  readonly state: IntrospectionState;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly error: string | null;
  readonly manageBoot: boolean;
  readonly attributes: LookupAttributes;
  /** As received, without `logs`. */
  readonly unprocessed: JsonObject | null;
  /** After the hooks, without `logs`. */
  readonly processed: JsonObject | null;
}

const noAttributes: LookupAttributes = { macs: [], bmcAddresses: [] };

/** @throws InspectorRefusal INVALID where the table has no such step. */
export const moved = (row: Introspection, event: IntrospectionEvent): Introspection => {
  const state = nextIntrospectionState(row.state, event);
  if (state === undefined)
    throw invalid(`Event "${event}" is not possible in state "${row.state}" of node ${row.uuid}`);
  return { ...row, state };
};

export interface StartRequest {
  readonly uuid: string;
  readonly run: number;
  readonly now: number;
  readonly manageBoot: boolean;
  readonly bmcAddresses: readonly string[];
}

/**
 * A start drops what is known of the last run, its data included (contract: inspector-api.md §3.1 step 5).
 * @throws InspectorRefusal INVALID while another run is being worked on.
 */
export const begun = (previous: Introspection | undefined, request: StartRequest): Introspection => ({
  uuid: request.uuid,
  run: request.run,
  state: previous ? moved(previous, 'start').state : 'starting',
  startedAt: request.now,
  finishedAt: null,
  error: null,
  manageBoot: request.manageBoot,
  attributes: { macs: [], bmcAddresses: request.bmcAddresses },
  unprocessed: null,
  processed: null,
});

/**
 * A run that its ramdisk's data begins, not a start: of a node in use (`waiting`), or of one that was made for it (`enrolling`)
 * (contract: inspector-api.md §3.7 step 2).
 * @throws InspectorRefusal INVALID while another run is being worked on.
 */
export const adopted = (
  previous: Introspection | undefined,
  request: Omit<StartRequest, 'manageBoot' | 'bmcAddresses'>,
  state: 'waiting' | 'enrolling',
  attributes: LookupAttributes,
): Introspection => ({
  ...begun(previous, { ...request, manageBoot: false, bmcAddresses: [] }),
  state,
  attributes,
});

/** The MACs that the ramdisk's data will be known by; set before the machine boots, since a ramdisk may be quick. */
export const knownBy = (row: Introspection, macs: readonly string[]): Introspection => ({
  ...row,
  attributes: { ...row.attributes, macs },
});

/** Stored data is worked on again: the clock starts anew, power is left alone (inspector-api.md §3.6). */
export const reapplied = (row: Introspection, now: number): Introspection => ({
  ...moved(row, 'reapply'),
  startedAt: now,
  finishedAt: null,
  error: null,
});

/** Every ending goes through here: the lookup attributes go, so late or doubled data is refused. */
export const ended = (
  row: Introspection,
  event: 'finish' | 'error' | 'timeout' | 'abort_end',
  now: number,
  error: string | null,
): Introspection => ({ ...moved(row, event), finishedAt: now, error, attributes: noAttributes });

/** Due for the clean-up: still open and started longer ago than the timeout; a timeout of 0 or less never ends a run. */
export const isOverdue = (row: Introspection, now: number, timeoutMs: number): boolean =>
  timeoutMs > 0 && row.finishedAt === null && row.startedAt < now - timeoutMs;

/** Newest first; the uuid decides between equals (inspector-api.md §3.3). */
export const newestFirst = (a: Introspection, b: Introspection): number =>
  b.startedAt - a.startedAt || (a.uuid < b.uuid ? 1 : a.uuid > b.uuid ? -1 : 0);

/** UTC without zone, microseconds, a fraction only where there is one. */
export const inspectorTime = (instant: number): string => {
  const [whole = '', millis = '000'] = new Date(instant).toISOString().slice(0, -1).split('.');
  return millis === '000' ? whole : `${whole}.${millis}000`;
};

/** The status document without its links (they depend on who asks; inspector-api.md §3.2). */
export const statusOf = (row: Introspection) => ({
  uuid: row.uuid,
  finished: row.finishedAt !== null,
  state: row.state,
  started_at: inspectorTime(row.startedAt),
  finished_at: row.finishedAt === null ? null : inspectorTime(row.finishedAt),
  error: row.error,
});
