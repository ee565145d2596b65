import type { BatchView, CommitListener } from '@lib/adapters/event-log-batch';
import type { ConductorRow, OpenDeadline, RecordedEvent, StreamId } from '@lib/ports';
import { MemoryDocuments } from './memory-documents';
import { MemoryEffects } from './memory-effects';

export type StoredDeadline = OpenDeadline & { readonly status: 'open' | 'held' };

/** What a database would hold; the views onto it are opened by `openMemoryLog`. */
export class MemoryStore {
  readonly events: RecordedEvent[] = [];
  readonly byStream = new Map<StreamId, RecordedEvent[]>();
  readonly byCommand = new Map<string, readonly RecordedEvent[]>();
  readonly blobs = new Map<string, Uint8Array>();
  readonly documents = new MemoryDocuments();
  readonly deadlines = new Map<string, StoredDeadline>();
  readonly effects = new MemoryEffects();
  readonly view: BatchView = {
    streams: new Map(),
    owners: new Map(),
    commands: new Set(),
    claims: this.effects.claims,
    position: 0,
    recordedAt: 0,
  };
  readonly conductors = new Map<string, ConductorRow>();
  readonly keys = new Map<string, string>();
  readonly listeners = new Set<CommitListener>();
  /** A fault to play: while it holds a text, every write is refused with it and nothing is stored. */
  fault: string | null = null;

  constructor(readonly logId: string) {}
}
