/** A span for people: `0.4 s`, `12 s`, `3 min 5 s`. */
export function spanText(ms: number): string {
  const span = Math.max(0, ms);
  if (span < 9_950) return `${(span / 1000).toFixed(1)} s`;
  const seconds = Math.round(span / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const iso = (at: number): string => new Date(at).toISOString();

/** `12:21:08.993`, UTC. */
export const clockText = (at: number): string => iso(at).slice(11, 23);
/** `2026-11-30`, UTC. */
export const dateText = (at: number): string => iso(at).slice(0, 10);
