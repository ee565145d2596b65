/** `2026-11-30T09:12:42.354000+00:00`: microseconds and an explicit offset (contract: node-api.md §1). */
export const isoTime = (at: number): string => new Date(at).toISOString().replace('Z', '000+00:00');

export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at));
