/** Times go out with an explicit offset and microseconds: Go clients demand both (contract: node-api.md §1). */
export const isoTime = (at: number): string => new Date(at).toISOString().replace('Z', '000+00:00');
