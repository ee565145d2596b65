/** A span for people: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 0 min`, `3 d 4 h`. */
export function spanText(ms: number): string {
  const span = Math.max(0, ms);
  if (span < 9_950) return `${(span / 1000).toFixed(1)} s`;
  const seconds = Math.round(span / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const iso = (at: number): string => new Date(at).toISOString();

/** `12:21:08.993`, UTC. */
export const clockText = (at: number): string => iso(at).slice(11, 23);
/** `2026-11-30`, UTC. */
export const dateText = (at: number): string => iso(at).slice(0, 10);
