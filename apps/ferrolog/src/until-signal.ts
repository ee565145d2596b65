import { setMaxListeners } from 'node:events';

/** The wish to stop: SIGTERM, Ctrl-C, a lost parent, or a call of `now`. Said twice it is no other wish: what was started is still stopped. */
export function untilSignal(): { readonly asked: Promise<void>; readonly now: () => void } {
  let now: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    // Listeners are handed the signal's name; a wish to stop carries nothing.
    now = () => resolve();
  });
  process.on('SIGTERM', now);
  process.on('SIGINT', now);
  if (process.send) process.once('disconnect', now);
  return { asked, now: () => now() };
}

/** The wish to stop as a signal that any number of waits may listen to; it throws "Interrupted.". */
export function interruptedBy(asked: Promise<void>): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  void asked.then(() => controller.abort(new Error('Interrupted.')));
  return controller.signal;
}
