import type { Instant, OpenDeadline } from '@lib/ports';

export const keyOf = ({ stream, n }: Pick<OpenDeadline, 'stream' | 'n'>): string => `${stream}#${n}`;

interface Parked {
  readonly until: Instant;
  readonly tries: number;
  /** It was among the open ones since it was parked. */
  readonly seen: boolean;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
/** A settled deadline leaves the open ones with its answer; should it not, it is not asked in a hot loop. */
const SETTLED_MS = 5000;

/** Deadlines that are not to be asked before a time of their own. */
export class Parking {
  private readonly parked = new Map<string, Parked>();

  /** Asked for an open deadline. */
  isParked(key: string, now: Instant): boolean {
    const entry = this.parked.get(key);
    if (entry === undefined || entry.until <= now) return false;
    if (!entry.seen) this.parked.set(key, { ...entry, seen: true });
    return true;
  }

  early(key: string, until: Instant): void {
    this.parked.set(key, { until, tries: 0, seen: false });
  }

  settled(key: string, now: Instant): void {
    this.parked.set(key, { until: now + SETTLED_MS, tries: 0, seen: false });
  }

  /** No answer: asked again, with growing pauses. Answers when. */
  unanswered(key: string, now: Instant): Instant {
    const tries = this.parked.get(key)?.tries ?? 0;
    const until = now + Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** tries);
    this.parked.set(key, { until, tries: tries + 1, seen: false });
    return until;
  }

  forget(key: string): void {
    this.parked.delete(key);
  }

  /** How many open ones are parked beyond `now`: a page must be that much longer, so that nobody starves behind them. */
  count(now: Instant): number {
    return [...this.parked.values()].filter(({ until, seen }) => seen && until > now).length;
  }

  next(now: Instant): Instant | null {
    const times = [...this.parked.values()].map(({ until }) => until).filter((until) => until > now);
    return times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other));
  }

  /** Drops what was over long ago and did not show up again. */
  sweep(now: Instant): void {
    for (const [key, { until }] of this.parked) if (until + 2 * BACKOFF_MS_MAX < now) this.parked.delete(key);
  }

  /** After a clock jump back, no pause may last longer than it was meant to. */
  cap(now: Instant): void {
    for (const [key, entry] of this.parked) {
      if (entry.until > now + BACKOFF_MS_MAX) this.parked.set(key, { ...entry, until: now + BACKOFF_MS_MAX });
    }
  }
}
