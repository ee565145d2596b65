/** The wish to stop: SIGTERM, Ctrl-C, a lost parent, or a call of `now`. */
export function untilSignal(): { readonly asked: Promise<void>; readonly now: () => void } {
  let now: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    now = resolve;
  });
  process.once('SIGTERM', now);
  process.once('SIGINT', now);
  if (process.send) process.once('disconnect', now);
  return { asked, now: () => now() };
}
