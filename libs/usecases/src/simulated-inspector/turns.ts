import type { Clock, Instant } from '@lib/ports';
import { pause } from './retries';

/** One after the other, with a pause between two (contract: inspector-api.md §3.1, `introspection_delay`). */
export class Turns {
  private next: Instant = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly pauseMs: number,
  ) {}

  /** Resolves when it is the caller's turn, in the order of the calls; the first one at once. */
  async take(): Promise<void> {
    if (this.pauseMs <= 0) return;
    const now = this.clock.now();
    const at = Math.max(now, this.next);
    this.next = at + this.pauseMs;
    if (at > now) await pause(this.clock, at - now);
  }
}
