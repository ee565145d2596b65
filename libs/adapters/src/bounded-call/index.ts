import { setMaxListeners } from 'node:events';
import type { Clock } from '@lib/ports';

/** Settles as `work` does, or rejects once the signal is aborted: what hangs is then nobody's concern any more. */
export function untilGivenUp<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => reject(new Error('the call was given up'));
    if (signal.aborted) giveUp();
    // One signal may end any number of calls; each takes its listener back below, so none leaks.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', giveUp, { once: true });
    const settled = (): void => signal.removeEventListener('abort', giveUp);
    work.then(resolve, reject).finally(settled);
  });
}

/** Waits; rejects at once when the signal is aborted. Leaves no timer behind. */
export async function pause(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new Error('the call was given up');
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const timer = clock.after(delayMs, end);
  await untilGivenUp(over, signal).finally(() => timer.cancel());
}

/** What `work` comes to, or null when it takes longer than the limit. */
export async function within<T>(work: Promise<T>, limitMs: number, clock: Clock): Promise<T | null> {
  let tooLong: () => void = () => undefined;
  const limit = new Promise<null>((resolve) => (tooLong = () => resolve(null)));
  const timer = clock.after(limitMs, tooLong);
  return Promise.race([work, limit]).finally(() => timer.cancel());
}
