import type { RecordedEvent } from '@lib/ports';

export type CommitListener = (events: readonly RecordedEvent[]) => void;

/** A listener that throws is a bug of its own: it gets its stack outside the commit, which stands. */
export function callCommitListeners(listeners: Iterable<CommitListener>, events: readonly RecordedEvent[]): void {
  if (events.length === 0) return;
  for (const listener of listeners) {
    try {
      listener(events);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
