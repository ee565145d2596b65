/** Regular expressions whose search cannot take for ever, whoever wrote them. */
import { Parser } from './parse';
import { programOf, TooLarge } from './program';
import { Search, TooMuchWork } from './search';
import { TooDeep, Unbounded } from './syntax';
import type { Flags } from './syntax';

/** Steps of a search, which are a fraction of a microsecond each. */
const WORK_MAX = 2_000_000;
/** As many steps of the machine's own engine are taken without a second thought. */
const OWN_WORK_MAX = 1_000_000;

/**
 * At most how many steps an engine takes that goes back and tries again: the text's length to the power of the places at which
 * it may choose a length, twice that for each choice of two; no bound where a group repeats. What a group matched is compared at the cost of a
 * choice.
 */
function ownWork(source: string, chars: number): number {
  const plain = source
    .replace(/\\[1-9k]/g, 'x*')
    .replace(/\\[^]/g, 'x')
    .replace(/\[\^?\]/g, 'x');
  const flat = plain.replace(/\[[^\]]*\]/g, 'x').replace(/\(\?(?:[:=!]|<[=!]|<[^>]*>)?/g, '(');
  if (/\)(?:[*+]|\{\d+,?\d*\})/.test(flat)) return Infinity;
  const lengths = flat.match(/[*+]|\{\d+,?\d*\}/g)?.length ?? 0;
  const alternatives = flat.match(/[?|]/g)?.length ?? 0;
  return (chars + 1) ** (lengths + 1) * 2 ** alternatives;
}

const flagsOf = (letters: string): Flags => ({
  ignoresCase: letters.includes('i'),
  multiline: letters.includes('m'),
  dotAll: letters.includes('s'),
});

/**
 * Whether a pattern of JavaScript (flags `i`, `m`, `s`) fits a part of the text; what is wrong with the pattern where that
 * cannot be found out with bounded work. The pattern is one that `RegExp` accepts.
 */
export function boundedSearch(source: string, flags: string, text: string): boolean | { readonly problem: string } {
  if (ownWork(source, text.length) <= OWN_WORK_MAX) return new RegExp(source, flags).test(text);
  const said = flagsOf(flags);
  try {
    const program = programOf(new Parser(source, said).alternatives());
    return new Search(text, said, WORK_MAX).anywhere(program);
  } catch (error) {
    if (error instanceof Unbounded) return { problem: 'it refers back to a group, which may take for ever' };
    if (error instanceof TooDeep) return { problem: 'its groups are too deep' };
    if (error instanceof TooLarge) return { problem: 'it repeats too much' };
    if (error instanceof TooMuchWork) return { problem: `it takes too long on a text of ${text.length} characters` };
    throw error;
  }
}
