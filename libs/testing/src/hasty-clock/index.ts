import type { Clock } from '@lib/ports';

/** A clock that goes `times` as fast as the machine's: for specs over real sockets whose waits would take minutes. */
export function hastyClock(times: number): Clock {
  const began = Date.now();
  return {
    now: () => began + (Date.now() - began) * times,
    after: (delayMs, run) => {
      const timer = setTimeout(run, Math.max(0, delayMs / times));
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
