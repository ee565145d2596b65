/** No database column and no UTF-8 holds a NUL or half of a surrogate pair; inside free objects they stay escaped. */
const UNSTORABLE = /[\0\p{Cs}]/u;

export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** The text with U+FFFD for each character that nothing could store: what machines and people say is kept nevertheless. */
export const storable = (text: string): string =>
  isStorable(text) ? text : text.replaceAll(new RegExp(UNSTORABLE, 'gu'), '\ufffd');

/** At most so many characters, none of them half. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return storable(text);
  // No character takes more than two units, and what the second cut leaves of a halved pair lies beyond the limit.
  return storable([...text.slice(0, 2 * charsMax)].slice(0, charsMax).join(''));
}
