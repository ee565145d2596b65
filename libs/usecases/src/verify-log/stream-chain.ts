import { eventHash, FIRST_PREV_HASH } from '@lib/ports';
import type { RecordedEvent } from '@lib/ports';
import type { Difference } from './difference';

/** One stream's events in order: versions without gaps, each linked to its predecessor, each hashing to its hash. */
export class StreamChain {
  private version = 0;
  private hash = FIRST_PREV_HASH;

  /** After a break the chain goes on from what is there, so that one damage is not told of every event after it. */
  next(event: RecordedEvent): Difference[] {
    const where = `${event.stream} version ${event.version} (position ${event.position})`;
    const differences: Difference[] = [];
    const differ = (what: Difference['what'], expected: string, found: string): void => {
      if (expected !== found) differences.push({ what, where, expected, found });
    };
    differ('version', String(this.version + 1), String(event.version));
    differ('prev_hash', this.hash, event.prevHash);
    differ('hash', eventHash(event.prevHash, event), event.hash);
    this.version = event.version;
    this.hash = event.hash;
    return differences;
  }
}
