import type { Clock, Instant, Timer } from '@lib/ports';
import { Stopped } from './pauses';

/** However often it is woken, it looks no more than so many times as often as it would anyway. */
const HURRY = 4;

/** When to look again: after a time, or as soon as somebody says that there is something to see. */
export class Looks {
  private waiting: { readonly timer: Timer; readonly resolve: () => void } | null = null;
  private lastAt: Instant = -Infinity;
  private isWoken = false;
  private stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly everyMs: number,
  ) {}

  /** Resolves when it is time for the next look. @throws Stopped */
  async next(): Promise<void> {
    this.lastAt = this.clock.now();
    if (!this.stopped) {
      await new Promise<void>((resolve) => this.wait(this.isWoken ? this.gapMs : this.everyMs, resolve));
    }
    this.waiting = null;
    this.isWoken = false;
    if (this.stopped) throw new Stopped('stopped');
  }

  wake(): void {
    // During a look: what it is to see may have come too late for it.
    const isFirst = !this.isWoken;
    this.isWoken = true;
    if (!this.waiting || !isFirst) return;
    const { timer, resolve } = this.waiting;
    timer.cancel();
    this.wait(Math.max(0, this.lastAt + this.gapMs - this.clock.now()), resolve);
  }

  stop(): void {
    this.stopped = true;
    this.waiting?.timer.cancel();
    this.waiting?.resolve();
  }

  private get gapMs(): number {
    return this.everyMs / HURRY;
  }

  private wait(delayMs: number, resolve: () => void): void {
    this.waiting = { timer: this.clock.after(delayMs, resolve), resolve };
  }
}
