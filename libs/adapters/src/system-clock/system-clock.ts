import type { Clock, Timer } from '@lib/ports';

/** Node fires a timer above 2^31 - 1 ms after 1 ms; longer waits are cut into pieces of a day, safely below. */
const PIECE_MS = 24 * 60 * 60 * 1000;

/**
 * The machine's clock. `now` is wall time; a timer counts elapsed (monotonic) time, so that setting the clock back does not
 * stretch it: who waits for a moment compares with `now` again when it fires.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs: number, run: () => void): Timer {
    if (!Number.isFinite(delayMs)) throw new RangeError(`a timer needs a finite delay, not ${delayMs}`);
    return new SystemTimer(delayMs, run);
  },
};

class SystemTimer implements Timer {
  private readonly dueMs: number;
  private handle: NodeJS.Timeout | null = null;

  constructor(
    delayMs: number,
    private readonly run: () => void,
  ) {
    this.dueMs = performance.now() + Math.max(0, delayMs);
    this.arm(Math.max(0, delayMs));
  }

  cancel(): void {
    if (this.handle !== null) clearTimeout(this.handle);
    this.handle = null;
  }

  private arm(restMs: number): void {
    this.handle = setTimeout(() => this.wake(), Math.min(Math.ceil(restMs), PIECE_MS)).unref();
  }

  /** Node may fire up to 1 ms early, and long waits come in pieces: look again before running. */
  private wake(): void {
    const restMs = this.dueMs - performance.now();
    if (restMs > 0) return this.arm(restMs);
    this.handle = null;
    this.run();
  }
}
