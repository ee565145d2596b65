import type { NodeStream } from '@lib/domain';
import type { Clock, Instant } from '@lib/ports';

type Listener = (stream: NodeStream) => void;

/** How often a waiter looks at the log itself: another conductor's append gives no signal here. */
const LOOK_MS = 500;

/** Wakes those who wait for a node to change: for a release, for a peer's word. */
export class NodeSignals {
  private readonly listeners = new Map<string, Set<Listener>>();

  constructor(
    private readonly clock: Clock,
    private readonly load: (uuid: string) => Promise<NodeStream>,
  ) {}

  emit(uuid: string, stream: NodeStream): void {
    for (const listener of [...(this.listeners.get(uuid) ?? [])]) listener(stream);
  }

  /** Resolves with the first state that satisfies `until`, or null when `giveUpAt` passes. */
  waitFor(uuid: string, until: (stream: NodeStream) => boolean, giveUpAt: Instant): Promise<NodeStream | null> {
    return new Promise((resolve) => {
      let timer = this.clock.after(0, () => undefined);
      const settle = (stream: NodeStream | null): void => {
        timer.cancel();
        this.drop(uuid, listener);
        resolve(stream);
      };
      const listener: Listener = (stream) => {
        if (until(stream)) settle(stream);
      };
      const look = (): void => {
        if (this.clock.now() >= giveUpAt) return settle(null);
        void this.load(uuid).then(listener, () => undefined);
        timer = this.clock.after(Math.min(LOOK_MS, giveUpAt - this.clock.now()), look);
      };
      this.add(uuid, listener);
      look();
    });
  }

  private add(uuid: string, listener: Listener): void {
    const set = this.listeners.get(uuid) ?? new Set();
    this.listeners.set(uuid, set.add(listener));
  }

  private drop(uuid: string, listener: Listener): void {
    const set = this.listeners.get(uuid);
    set?.delete(listener);
    if (set?.size === 0) this.listeners.delete(uuid);
  }
}
