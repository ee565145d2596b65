import type { Clock } from '@lib/ports';

const BACKOFF_MIN_MS = 100;
const BACKOFF_MAX_MS = 10_000;

/** The waits of a loop: until woken, and after a failure, which no wake-up cuts short. A stop ends both for good. */
export class Naps {
  stopped = false;
  private woken = false;
  private backoffMs = BACKOFF_MIN_MS;
  private endWait: (() => void) | null = null;
  private wakeable = false;

  constructor(private readonly clock: Clock) {}

  /** Also heard when nobody waits yet: the next wait then ends at once. */
  wake(): void {
    this.woken = true;
    if (this.wakeable) this.endWait?.();
  }

  stop(): void {
    this.stopped = true;
    this.endWait?.();
  }

  async untilWoken(atMostMs: number): Promise<void> {
    if (!this.woken) {
      this.wakeable = true;
      await this.wait(atMostMs);
      this.wakeable = false;
    }
    this.woken = false;
  }

  backOff(delayMs: number): Promise<void> {
    return this.wait(delayMs);
  }

  /** Doubles with every failure until `resetBackoff`. */
  nextBackoffMs(): number {
    const delayMs = this.backoffMs;
    this.backoffMs = Math.min(BACKOFF_MAX_MS, delayMs * 2);
    return delayMs;
  }

  resetBackoff(): void {
    this.backoffMs = BACKOFF_MIN_MS;
  }

  private wait(delayMs: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.clock.after(delayMs, () => this.endWait?.());
      this.endWait = () => {
        timer.cancel();
        this.endWait = null;
        resolve();
      };
    });
  }
}
