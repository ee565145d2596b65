import type { Clock } from '@lib/ports';

/** Handlers under way, so that a stop can wait for them. */
export class RunningWork {
  private readonly running = new Set<Promise<void>>();

  add(work: Promise<void>): void {
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  /** Resolves when all have ended, those included that were added meanwhile; at the latest after `limitMs`. */
  async ended(limitMs: number, clock: Clock): Promise<void> {
    if (this.running.size === 0) return;
    let cancel = (): void => undefined;
    const limit = new Promise<'limit'>((resolve) => {
      const timer = clock.after(limitMs, () => resolve('limit'));
      cancel = () => timer.cancel();
    });
    while (this.running.size > 0) {
      const first = await Promise.race([Promise.allSettled(this.running), limit]);
      if (first === 'limit') break;
    }
    cancel();
  }
}
