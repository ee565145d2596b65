import type { DerivedTables, EventReader } from '@lib/ports';
import type { ProjectionOptions } from '../project-node';
import type { Difference } from './difference';
import { findExtraKeys } from './verify-keys';
import { verifyOrder } from './verify-order';
import { StreamsVerifier } from './verify-streams';

export interface VerifySources {
  readonly reader: Pick<EventReader, 'head' | 'readAll' | 'readStream' | 'readBlob'>;
  readonly derived: DerivedTables;
  /** In force: what is kept of errors and history follows from them, so rows written under others differ. */
  readonly options: ProjectionOptions;
}

export interface VerifyProgress {
  readonly phase: 'order' | 'streams' | 'keys';
  readonly events: number;
  /** Events of the log when it began. */
  readonly of: number;
}

export interface VerifyWatcher {
  onDifference(difference: Difference): void;
  onProgress?(progress: VerifyProgress): void;
}

export interface Verified {
  readonly events: number;
  readonly streams: number;
  readonly differences: number;
  /** The most streams whose rows were in memory at once. */
  readonly streamsHeldMax: number;
}

/**
 * Reads the whole log twice, by position and by stream, and compares it with itself and with all that derives from it.
 * Memory is bounded by the largest stream. The stack may run; what is appended meanwhile may or may not be looked at.
 * Rejects with LogUnavailable.
 */
export async function verifyLog(sources: VerifySources, watcher: VerifyWatcher): Promise<Verified> {
  const head = await sources.reader.head();
  let differences = 0;
  const tell = (difference: Difference): void => {
    differences += 1;
    watcher.onDifference(difference);
  };
  const counting = (phase: VerifyProgress['phase']) => {
    let events = 0;
    return (more: number): void => {
      events += more;
      watcher.onProgress?.({ phase, events, of: head });
    };
  };
  await verifyOrder(sources, head, tell, counting('order'));
  const { streams, keys, heldMax } = await new StreamsVerifier(sources, tell).run(counting('streams'));
  // With differences the numbers prove nothing: one key may be missing and another be there for it.
  if (differences > 0 || (await sources.derived.countKeys()) !== keys) {
    watcher.onProgress?.({ phase: 'keys', events: head, of: head });
    for await (const extra of findExtraKeys(sources)) tell(extra);
  }
  return { events: head, streams, differences, streamsHeldMax: heldMax };
}
