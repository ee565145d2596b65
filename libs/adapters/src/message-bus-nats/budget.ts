import type { Clock } from '@lib/ports';

interface Waiter {
  readonly units: number;
  readonly settle: (taken: boolean) => void;
}

/**
 * A bounded amount of something (bytes, transfers) that is taken and given back; who asks while it is used up waits in line.
 * The line is bounded as well, and a wait has a limit.
 */
export class Budget {
  private used = 0;
  private readonly line: Waiter[] = [];

  constructor(
    private readonly capacity: number,
    private readonly lineMax: number,
    private readonly clock: Clock,
  ) {}

  /** False when the line is full, the wait took longer than `patienceMs`, or the budget could never give so much. */
  async take(units: number, patienceMs: number): Promise<boolean> {
    if (units > this.capacity || this.line.length >= this.lineMax) return false;
    if (this.line.length === 0 && this.used + units <= this.capacity) {
      this.used += units;
      return true;
    }
    return new Promise<boolean>((resolve) => {
      const timer = this.clock.after(patienceMs, () => this.giveUp(waiter));
      const waiter: Waiter = {
        units,
        settle: (taken) => {
          timer.cancel();
          resolve(taken);
        },
      };
      this.line.push(waiter);
    });
  }

  giveBack(units: number): void {
    this.used -= units;
    this.serveLine();
  }

  /** Sends everybody in the line away. */
  clear(): void {
    for (const waiter of this.line.splice(0)) waiter.settle(false);
  }

  private giveUp(waiter: Waiter): void {
    const index = this.line.indexOf(waiter);
    if (index < 0) return;
    this.line.splice(index, 1);
    waiter.settle(false);
    // The one that left may have been a large one at the head, with smaller ones behind it that fit.
    this.serveLine();
  }

  private serveLine(): void {
    for (let head = this.line[0]; head !== undefined && this.used + head.units <= this.capacity; head = this.line[0]) {
      this.line.shift();
      this.used += head.units;
      head.settle(true);
    }
  }
}
