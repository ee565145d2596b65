const UUID_LIKE = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** As clients may write one: with dashes or without, in any case (contract: node-api.md §2). */
export const isUuidLike = (text: unknown): text is string => typeof text === 'string' && UUID_LIKE.test(text);

/** The one spelling in which UUIDs are stored: lower case, with dashes. */
export function canonicalUuid(text: string): string {
  const digits = text.replaceAll('-', '').toLowerCase();
  return [0, 8, 12, 16, 20].map((from, at) => digits.slice(from, [8, 12, 16, 20, 32][at])).join('-');
}
