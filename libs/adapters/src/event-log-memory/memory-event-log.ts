import { admit, assertWellFormed, callCommitListeners, judge, remaining } from '@lib/adapters/event-log-batch';
import type { CommitListener, SchemaIndex } from '@lib/adapters/event-log-batch';
import { FIRST_PREV_HASH, LogUnavailable } from '@lib/ports';
import type {
  Append,
  AppendConflict,
  AppendResult,
  Blob,
  Change,
  Clock,
  EventLog,
  RecordedEvent,
  StreamId,
} from '@lib/ports';
import type { DocumentChange } from './memory-documents';
import type { MemoryStore } from './memory-store';

/** Every append is a transaction of its own, applied before `append` returns to the event loop. */
export class MemoryEventLog implements EventLog {
  private closed = false;
  private readonly listeners = new Set<CommitListener>();

  constructor(
    private readonly store: MemoryStore,
    private readonly schemas: SchemaIndex,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Throws LogUnavailable after close and while a fault is played. */
  assertWritable(): void {
    if (this.closed) throw new LogUnavailable('the log is closed');
    if (this.store.fault !== null) throw new LogUnavailable(this.store.fault);
  }

  async append(append: Append): Promise<AppendResult> {
    assertWellFormed(append, this.schemas);
    this.assertWritable();
    const { store } = this;
    const conflict = judge(append, store.view) ?? judgeEmpties(append, store);
    if (conflict !== null) return { ok: false, conflict };
    const { events } = admit(append, store.view, this.clock.now());
    this.keepEvents(append.meta.commandId, events);
    for (const change of append.changes) applyChange(change, store);
    for (const blob of append.blobs ?? []) keepBlob(blob, store);
    callCommitListeners(store.listeners, events);
    return { ok: true, events };
  }

  onCommit(listener: CommitListener): () => void {
    const own: CommitListener = (events) => listener(events);
    this.listeners.add(own);
    this.store.listeners.add(own);
    return () => {
      this.listeners.delete(own);
      this.store.listeners.delete(own);
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const listener of this.listeners) this.store.listeners.delete(listener);
  }

  async logId(): Promise<string> {
    return this.store.logId;
  }

  async readStream(stream: StreamId, after: number, limit: number): Promise<RecordedEvent[]> {
    return slice(this.store.byStream.get(stream) ?? [], after, limit);
  }

  async readAll(after: number, limit: number): Promise<RecordedEvent[]> {
    return slice(this.store.events, after, limit);
  }

  async head(): Promise<number> {
    return this.store.view.position;
  }

  async readCommand(commandId: string): Promise<RecordedEvent[]> {
    return [...(this.store.byCommand.get(commandId) ?? [])];
  }

  async versions(streams: readonly StreamId[]): Promise<Map<StreamId, { version: number; removed: boolean }>> {
    const none = { version: 0, removed: true, hash: FIRST_PREV_HASH };
    return new Map(
      streams.map((stream) => {
        const { version, removed } = this.store.view.streams.get(stream) ?? none;
        return [stream, { version, removed }];
      }),
    );
  }

  async readBlob(hash: string): Promise<Uint8Array | null> {
    return this.store.blobs.get(hash)?.slice() ?? null;
  }

  private keepEvents(commandId: string, events: readonly RecordedEvent[]): void {
    const { store } = this;
    if (events.length > 0) store.byCommand.set(commandId, events);
    for (const event of events) {
      store.events.push(event);
      const stream = store.byStream.get(event.stream);
      if (stream === undefined) store.byStream.set(event.stream, [event]);
      else stream.push(event);
    }
  }
}

/** Versions and positions both count from 1 without gaps, so the number is the index of what comes after it. */
const slice = (events: readonly RecordedEvent[], after: number, limit: number): RecordedEvent[] =>
  events.slice(Math.max(0, after), Math.max(0, after) + limit);

function judgeEmpties({ empties = [], changes }: Append, { documents }: MemoryStore): AppendConflict | null {
  const ofDocuments = changes.filter((change): change is DocumentChange => 'kind' in change);
  for (const empty of empties) {
    const document = documents.remainder(empty, ofDocuments);
    if (document !== undefined) return remaining(empty, document);
  }
  return null;
}

function applyChange(change: Change, { documents, deadlines, effects }: MemoryStore): void {
  switch (change.change) {
    case 'effect':
      return effects.apply(change);
    case 'deadline': {
      const { stream, n, attempt, due, status } = change;
      const key = JSON.stringify([stream, n]);
      if (status === 'closed') deadlines.delete(key);
      else deadlines.set(key, { stream, n, attempt, due, status });
      return;
    }
    case 'claim':
    case 'release':
      return; // taken over by `admit`
    default:
      return documents.apply(change);
  }
}

function keepBlob({ hash, bytes }: Blob, { blobs }: MemoryStore): void {
  if (!blobs.has(hash)) blobs.set(hash, bytes.slice());
}
