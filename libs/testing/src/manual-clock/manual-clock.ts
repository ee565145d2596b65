import type { Clock, Instant, Timer } from '@lib/ports';

interface ArmedTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * Turns of the event loop given to the work that a timer set off, before the next timer runs. One is enough for what consists
 * of promises alone.
 */
const SETTLE_TURNS = 3;

/**
 * Time that moves only when a test says so. Timers run in the order of their due times (then of arming), each at exactly its
 * due time, and what they set off (promises, turns of the event loop) settles before the next one runs.
 */
export class ManualClock implements Clock {
  private elapsedMs = 0;
  private offsetMs: number;
  private order = 0;
  private readonly armed = new Set<ArmedTimer>();
  private moving: Promise<void> = Promise.resolve();

  constructor(
    start: Instant | string = '2026-01-01T00:00:00Z',
    private readonly settleTurns = SETTLE_TURNS,
  ) {
    this.offsetMs = typeof start === 'number' ? start : Date.parse(start);
    if (!Number.isFinite(this.offsetMs)) throw new RangeError(`not a time: ${start}`);
  }

  now(): Instant {
    return this.offsetMs + this.elapsedMs;
  }

  after(delayMs: number, run: () => void): Timer {
    if (!Number.isFinite(delayMs)) throw new RangeError(`a timer needs a finite delay, not ${delayMs}`);
    const timer: ArmedTimer = { dueMs: this.elapsedMs + Math.max(0, delayMs), order: this.order++, run };
    this.armed.add(timer);
    return { cancel: () => void this.armed.delete(timer) };
  }

  /** Timers that wait to run. */
  pending(): number {
    return this.armed.size;
  }

  /** When the next timer runs, null when none is armed. */
  nextDue(): Instant | null {
    const next = this.earliest(Number.POSITIVE_INFINITY);
    return next === undefined ? null : this.offsetMs + next.dueMs;
  }

  /** Moves time forward and runs what falls due on the way. A timer that throws ends the move with its error. */
  advanceBy(durationMs: number): Promise<void> {
    if (!(durationMs >= 0)) throw new RangeError(`time does not run backwards by ${durationMs} ms; use jumpTo`);
    const moved = this.moving.then(() => this.move(this.elapsedMs + durationMs));
    this.moving = moved.catch(() => undefined);
    return moved;
  }

  advanceTo(instant: Instant | string): Promise<void> {
    const target = typeof instant === 'number' ? instant : Date.parse(instant);
    const moved = this.moving.then(() => {
      const durationMs = target - this.now();
      if (!(durationMs >= 0)) throw new RangeError(`${instant} has passed; use jumpTo`);
      return this.move(this.elapsedMs + durationMs);
    });
    this.moving = moved.catch(() => undefined);
    return moved;
  }

  /** Somebody set the wall clock, forward or back: `now` changes, timers count elapsed time and do not. */
  jumpTo(instant: Instant): void {
    this.offsetMs = instant - this.elapsedMs;
  }

  private async move(targetMs: number): Promise<void> {
    await this.settle();
    for (let next = this.earliest(targetMs); next !== undefined; next = this.earliest(targetMs)) {
      this.armed.delete(next);
      this.elapsedMs = Math.max(this.elapsedMs, next.dueMs);
      next.run();
      await this.settle();
    }
    this.elapsedMs = targetMs;
  }

  private async settle(): Promise<void> {
    for (let turn = 0; turn < this.settleTurns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  private earliest(limitMs: number): ArmedTimer | undefined {
    let first: ArmedTimer | undefined;
    for (const timer of this.armed) {
      if (timer.dueMs > limitMs) continue;
      if (
        first === undefined ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    return first;
  }
}
