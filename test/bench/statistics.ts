/** What several slices of one measure came to. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Nearest rank; `share` in (0, 1]. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = ascending(values);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

export const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});
