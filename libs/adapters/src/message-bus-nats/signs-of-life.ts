import type { Clock, Timer } from '@lib/ports';

/**
 * Tells those who wait that their requests are being worked on, once in a period, all from one timer. Requests that are
 * answered within the period cost nothing.
 */
export class SignsOfLife {
  private readonly waiting = new Set<string>();
  private timer: Timer | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly periodMs: number,
    /** Never throws. */
    private readonly tell: (address: string) => void,
  ) {}

  /** Begins to tell this address; the answer ends it. */
  begin(address: string): void {
    this.waiting.add(address);
    this.arm();
  }

  end(address: string): void {
    this.waiting.delete(address);
  }

  private arm(): void {
    this.timer ??= this.clock.after(this.periodMs, () => {
      this.timer = null;
      for (const address of this.waiting) this.tell(address);
      if (this.waiting.size > 0) this.arm();
    });
  }
}

/**
 * Ends a wait that hears nothing for too long. The limit passes in two halves: a process that was stopped itself finds what
 * came meanwhile between them, and does not take its own absence for the other side's silence.
 */
export class Silence {
  private timer: Timer | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: number,
    private readonly onSilent: () => void,
  ) {
    this.listen();
  }

  /** Somebody was heard. */
  broken(): void {
    if (this.timer === null) return;
    this.timer.cancel();
    this.listen();
  }

  /** Listens no more. */
  end(): void {
    this.timer?.cancel();
    this.timer = null;
  }

  private listen(): void {
    const half = this.limitMs / 2;
    this.timer = this.clock.after(half, () => {
      this.timer = this.clock.after(half, this.onSilent);
    });
  }
}
