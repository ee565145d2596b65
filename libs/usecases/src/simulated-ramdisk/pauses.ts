import type { Clock, Timer } from '@lib/ports';

/** Thrown out of a pause that will not end: the simulator stops. */
export class Stopped extends Error {}

/** Pauses that a stop ends. */
export class Pauses {
  private readonly open = new Map<Timer, () => void>();
  private stopped = false;

  constructor(private readonly clock: Clock) {}

  /** @throws Stopped */
  async pause(delayMs: number): Promise<void> {
    if (!this.stopped) {
      await new Promise<void>((resolve) => {
        const timer = this.clock.after(delayMs, () => {
          this.open.delete(timer);
          resolve();
        });
        this.open.set(timer, resolve);
      });
    }
    if (this.stopped) throw new Stopped('stopped');
  }

  stop(): void {
    this.stopped = true;
    for (const [timer, wake] of this.open) {
      timer.cancel();
      wake();
    }
    this.open.clear();
  }
}
