export type Release = () => void;

/** One job per node at a time, in the order in which they came. */
export class NodeLocks {
  private readonly waiting = new Map<string, (() => void)[]>();

  /** Null when another job holds the node. */
  tryTake(uuid: string): Release | null {
    if (this.waiting.has(uuid)) return null;
    this.waiting.set(uuid, []);
    return this.releaseOnce(uuid);
  }

  /** Waits for its turn; a free node is taken before this returns, so that nobody gets in between. */
  take(uuid: string): Promise<Release> {
    const now = this.tryTake(uuid);
    if (now) return Promise.resolve(now);
    return new Promise((resolve) => this.waiting.get(uuid)?.push(() => resolve(this.releaseOnce(uuid))));
  }

  private releaseOnce(uuid: string): Release {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.waiting.get(uuid)?.shift();
      if (next) next();
      else this.waiting.delete(uuid);
    };
  }
}
