import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;

/** Tries to open until that works or `waitMs` have passed; then rejects with the sentence made of the last reason. */
export async function waitFor<T>(
  open: () => Promise<T>,
  waitMs: number,
  sentence: (why: string) => string,
): Promise<T> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (performance.now() >= giveUpAt) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(sentence(why), { cause: error });
      }
      await pause(POLL_MS);
    }
  }
}
