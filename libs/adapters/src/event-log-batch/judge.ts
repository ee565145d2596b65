import { FIRST_PREV_HASH, eventHash } from '@lib/ports';
import type { Append, AppendConflict, Expected, Instant, RecordedEvent, StreamId, StreamWrite } from '@lib/ports';
import { lastWords, type KeyWord } from './key-words';

export interface StreamHead {
  readonly version: number;
  readonly removed: boolean;
  readonly hash: string;
}

/** The claim of each open effect, by `effectKey`. */
export interface OpenClaims {
  get(effect: string): number | undefined;
  delete(effect: string): unknown;
}

/**
 * The log as the batch sees it: at least the streams, keys, fenced effects and command ids that its members name. `admit` moves it on,
 * so that later members of a batch meet the earlier winners.
 */
export interface BatchView {
  readonly streams: Map<StreamId, StreamHead>;
  /** By `keyOf`; values nobody holds are left out. */
  readonly owners: Map<string, StreamId>;
  readonly commands: Set<string>;
  readonly claims: OpenClaims;
  position: number;
  recordedAt: Instant;
}

export interface Admitted {
  readonly events: readonly RecordedEvent[];
  /** Heads of the streams that the append wrote. */
  readonly heads: ReadonlyMap<StreamId, StreamHead>;
  /** New holder of each key that changed hands; null when it is free now. */
  readonly keys: readonly { readonly index: string; readonly value: string; readonly owner: StreamId | null }[];
}

const nothing: StreamHead = { version: 0, removed: true, hash: FIRST_PREV_HASH };

export const effectKey = ({ stream, n }: { stream: StreamId; n: number }): string => JSON.stringify([stream, n]);

export const keyOf = (index: string, value: string): string => JSON.stringify([index, value]);

/**
 * The conflict that an append meets, null when it may be written. A repeated command is told apart before all else, then
 * old news, which no newer version would make good. Emptiness is looked at by the logs, where the documents are.
 */
export function judge(append: Append, view: BatchView): AppendConflict | null {
  const { commandId } = append.meta;
  if (view.commands.has(commandId)) return { kind: 'command', commandId };
  for (const fence of append.fences ?? []) {
    if (view.claims.get(effectKey(fence)) !== fence.claim) return { kind: 'fence', stream: fence.stream };
  }
  for (const { stream, expected } of append.writes) {
    const head = view.streams.get(stream) ?? nothing;
    if (!meets(expected, head)) return { kind: 'version', stream, actual: head.version };
  }
  for (const { stream, version } of append.guards ?? []) {
    const actual = view.streams.get(stream)?.version ?? 0;
    if (actual !== version) return { kind: 'guard', stream, actual };
  }
  return judgeKeys(lastWords(append.changes), view);
}

function meets(expected: Expected, head: StreamHead): boolean {
  if (expected === 'any') return true;
  return expected === 'absent' ? head.removed : head.version === expected;
}

function judgeKeys(words: readonly KeyWord[], view: BatchView): AppendConflict | null {
  for (const word of words) {
    const holder = holderAfterReleases(word, view) ?? word.claimedBy[0];
    if (holder !== undefined && word.claimedBy.some((owner) => owner !== holder)) {
      return { kind: 'key', index: word.index, value: word.value, owner: holder };
    }
  }
  return null;
}

function holderAfterReleases(word: KeyWord, view: BatchView): StreamId | undefined {
  const holder = view.owners.get(keyOf(word.index, word.value));
  return holder !== undefined && word.releasedBy.has(holder) ? undefined : holder;
}

/** Takes an append that `judge` let pass into the view and makes its events. `now` is held back to never decrease. */
export function admit(append: Append, view: BatchView, now: Instant): Admitted {
  view.recordedAt = Math.max(view.recordedAt, now);
  const meta = JSON.stringify(append.meta);
  const events = append.writes.flatMap((write) => record(write, meta, view));
  if (events.length > 0) view.commands.add(append.meta.commandId);
  for (const change of append.changes) {
    if (change.change === 'effect' && change.status === 'closed') view.claims.delete(effectKey(change));
  }
  const written = append.writes.filter((write) => write.events.length > 0);
  return {
    events,
    heads: new Map(written.map(({ stream }) => [stream, view.streams.get(stream) ?? nothing])),
    keys: lastWords(append.changes).flatMap((word) => handOver(word, view)),
  };
}

function record(write: StreamWrite, meta: string, view: BatchView): RecordedEvent[] {
  return write.events.map(({ type, schema, data }, i) => {
    const head = view.streams.get(write.stream) ?? nothing;
    const fields = { stream: write.stream, version: head.version + 1, type, schema, data: jsonText(data), meta };
    const hash = eventHash(head.hash, fields);
    const removed = write.removes === true && i === write.events.length - 1;
    view.streams.set(write.stream, { version: fields.version, removed, hash });
    view.position += 1;
    return { position: view.position, ...fields, recordedAt: view.recordedAt, prevHash: head.hash, hash };
  });
}

const jsonText = (data: unknown): string => JSON.stringify(data) ?? 'null';

function handOver(word: KeyWord, view: BatchView): Admitted['keys'] {
  const key = keyOf(word.index, word.value);
  const before = view.owners.get(key);
  const after = holderAfterReleases(word, view) ?? word.claimedBy[0];
  if (after === before) return [];
  if (after === undefined) view.owners.delete(key);
  else view.owners.set(key, after);
  return [{ index: word.index, value: word.value, owner: after ?? null }];
}
