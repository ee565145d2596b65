import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;
/** What comes up beside us takes a moment; nobody has to hear of that. */
const SILENT_MS = 2_000;

/**
 * Tries to open until that works or `waitMs` have passed; then rejects with the sentence made of the last reason. When it
 * takes long, `onWait` hears once what is waited for.
 */
export async function waitFor<T>(
  open: () => Promise<T>,
  waitMs: number,
  sentence: (why: string) => string,
  onWait?: (sentence: string) => void,
  silentMs = SILENT_MS,
): Promise<T> {
  const startedAt = performance.now();
  let isTold = false;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const why = sentence(error instanceof Error ? error.message : String(error));
      const waitedMs = performance.now() - startedAt;
      if (waitedMs >= waitMs) throw new Error(why, { cause: error });
      if (!isTold && waitedMs >= silentMs) {
        isTold = true;
        onWait?.(why);
      }
      await pause(POLL_MS);
    }
  }
}
