import type { Flags, Holds } from './syntax';

export const isWord: Holds = (char) => /^\w$/.test(char);
export const isLineEnd: Holds = (char) => /^[\n\r\u2028\u2029]$/.test(char);

export const named: Readonly<Record<string, Holds>> = {
  d: (char) => /^\d$/.test(char),
  D: (char) => /^\D$/.test(char),
  w: isWord,
  W: (char) => !isWord(char),
  s: (char) => /^\s$/.test(char),
  S: (char) => /^\S$/.test(char),
};

const isAscii = (char: string): boolean => char.charCodeAt(0) < 128;

/** One unit, and no letter outside ASCII is one within it. */
function upper(char: string): string {
  const up = char.toUpperCase();
  return up.length === 1 && (isAscii(char) || !isAscii(up)) ? up : char;
}

const variants = (char: string): readonly string[] => {
  const up = upper(char);
  return [char, up, up.toLowerCase(), char.toLowerCase()].filter((one) => one.length === 1 && upper(one) === up);
};

/** The same without regard to case, where that is asked for. */
export const inAnyCase = (holds: Holds, { ignoresCase }: Flags): Holds =>
  ignoresCase ? (char) => variants(char).some(holds) : holds;

/** Asked of each character once: a search asks for the same few again and again. */
export function remembered(holds: Holds): Holds {
  const known = new Map<string, boolean>();
  return (char) => {
    const before = known.get(char);
    if (before !== undefined) return before;
    const now = holds(char);
    known.set(char, now);
    return now;
  };
}
