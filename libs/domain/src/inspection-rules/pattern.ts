import { boundedSearch } from '../linear-pattern';
import { RuleFailure } from './types';

/** Patterns are written as for Python: named groups and leading flags have another spelling there. */
function translated(source: string): { readonly body: string; readonly flags: string } {
  const [, letters = ''] = /^\(\?([aimsu]+)\)/.exec(source) ?? [];
  const body = letters === '' ? source : source.slice(letters.length + 3);
  const flags = [...new Set(letters)].filter((letter) => 'ims'.includes(letter)).join('');
  return { body: body.replaceAll('(?P<', '(?<').replace(/\(\?P=(\w+)\)/g, '\\k<$1>'), flags };
}

export function patternProblem(source: unknown): string | null {
  if (typeof source !== 'string') return 'a string is needed';
  const { body, flags } = translated(source);
  try {
    new RegExp(body, flags);
    return null;
  } catch {
    return `${JSON.stringify(source)} is no regular expression`;
  }
}

/** Longer texts are no names, addresses or versions, and a pattern may go over them many times. */
const TEXT_CHARS_MAX = 16_384;

/** Whether the whole text fits, or a part of it. No pattern keeps a conductor from its other work. */
export function fits(text: string, source: unknown, part: 'whole' | 'any'): boolean {
  const problem = patternProblem(source);
  if (problem !== null) throw new RuleFailure(problem);
  if (text.length > TEXT_CHARS_MAX) {
    throw new RuleFailure(`a text of ${text.length} characters is too long for a pattern (${TEXT_CHARS_MAX} at most)`);
  }
  const { body, flags } = translated(String(source));
  const found = boundedSearch(part === 'whole' ? `^(?:${body})$` : body, flags, text);
  if (typeof found !== 'boolean') throw new RuleFailure(`a pattern can not be searched for: ${found.problem}`);
  return found;
}
