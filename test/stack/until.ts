import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  /** Give up after this long; default 30 s, generous because test machines are shared. */
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/** Thrown by a `look` that knows waiting is in vain: it ends the wait at once. */
export class Hopeless extends Error {}

/**
 * Asks `look` until it returns something other than undefined, null or false, and returns that.
 * A `look` that throws counts as "not yet"; its last error is named when patience ends.
 */
export const until = async <T>(
  what: string,
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { timeoutMs = 30_000, everyMs = 50 }: Patience = {},
): Promise<T> => {
  const end = performance.now() + timeoutMs;
  for (;;) {
    let problem = '';
    try {
      const found = await look();
      if (found !== undefined && found !== null && found !== false) return found;
    } catch (error) {
      if (error instanceof Hopeless) throw error;
      problem = `; last error: ${String(error)}`;
    }
    if (performance.now() > end) throw new Error(`gave up after ${timeoutMs} ms waiting for ${what}${problem}`);
    await sleep(everyMs);
  }
};

export { sleep };
