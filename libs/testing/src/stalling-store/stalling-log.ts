import { LogUnavailable, type Append, type AppendResult, type EventLog } from '@lib/ports';

export interface StallingLog {
  readonly log: EventLog;
  /** From now on appends are written and not synced: nobody sees them, and nobody is answered. */
  stall(): void;
  /** Appends that hang so. */
  hanging(): number;
  /** The machine loses power: of what hangs all is found again, or nothing; the one that waits is never answered. */
  losePower(found: 'all' | 'nothing'): Promise<void>;
  /** The disk recovers (`synced`: what hung is stored and answered) or fails (nobody knows). */
  end(outcome: 'synced' | 'failed'): Promise<void>;
}

interface Hanging {
  readonly append: Append;
  resolve(result: AppendResult): void;
  reject(reason: unknown): void;
}

/** An event log on a disk that stops between write and sync. */
export const stallingLog = (inner: EventLog): StallingLog => {
  let isStalled = false;
  let hanging: Hanging[] = [];
  const taken = (): Hanging[] => {
    isStalled = false;
    return hanging.splice(0);
  };
  const append = (wanted: Append): Promise<AppendResult> =>
    isStalled
      ? new Promise((resolve, reject) => hanging.push({ append: wanted, resolve, reject }))
      : inner.append(wanted);
  const log = new Proxy(inner, {
    get: (target, name) => {
      if (name === 'append') return append;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return {
    log,
    stall: () => void (isStalled = true),
    hanging: () => hanging.length,
    async losePower(found) {
      const lost = taken();
      hanging = [];
      if (found === 'all') for (const one of lost) await inner.append(one.append);
    },
    async end(outcome) {
      for (const { append: wanted, resolve, reject } of taken()) {
        if (outcome === 'synced') resolve(await inner.append(wanted));
        else reject(new LogUnavailable('the disk failed while it synced', true));
      }
    },
  };
};
