import fc from 'fast-check';
import { boundedSearch } from './index';
import { Parser } from './parse';
import { programOf } from './program';
import { Search } from './search';

/** Without the machine's own engine, whatever the pattern. */
function searched(source: string, flags: string, text: string): boolean {
  const said = { ignoresCase: flags.includes('i'), multiline: flags.includes('m'), dotAll: flags.includes('s') };
  return new Search(text, said, 10_000_000).anywhere(programOf(new Parser(source, said).alternatives()));
}

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'B',
    '-',
    '.',
    '[ab]',
    '[^a]',
    '[a-c_]',
    '[\\w-]',
    '[]',
    '[^]',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
  ],
  ...['^', '$', '\\b', '\\B', '\\n', '\\x61', '\\u0062', '\\.', '\\-', '(?:)', '{', '}', ']', '\\cJ', '\\0', '[\\b]'],
);
const count = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,}', '{0,2}', '{1,3}?');
const edge = /^(?:\^|\$|\\b|\\B|\{|\})$/;
const { pattern } = fc.letrec<{ pattern: string; piece: string; group: string }>((tie) => ({
  pattern: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(atom, count).map(([one, often]) => (edge.test(one) ? one : one + often)) },
    { weight: 2, arbitrary: tie('group') },
  ),
  group: fc
    .tuple(
      fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!'),
      fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }),
      count,
    )
    .map(([start, of, often]) => `${start}${of.join('|')})${/[=!]$/.test(start) ? '' : often}`),
}));
const flags = fc.constantFrom('', 'i', 'm', 's', 'ims');
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'c', '_', '-', '0', ' ', '\n', '.', 'ſ'), maxLength: 8 });

const accepted = (source: string, letters: string): RegExp | null => {
  try {
    return new RegExp(source, letters);
  } catch {
    return null;
  }
};

describe('a search of a pattern with bounded work', () => {
  it('finds what the engine of the machine finds', () => {
    fc.assert(
      fc.property(pattern, flags, text, (source, letters, within) => {
        const own = accepted(source, letters);
        fc.pre(own !== null);
        expect(searched(source, letters, within)).toBe(own?.test(within));
      }),
      { numRuns: 1500 },
    );
  });

  it.each<[string, string, string, boolean]>([
    ['^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$', 'i', '52:54:00:AB:cd:ef', true],
    ['^(?=.*dell)(?=.*r[67]40).*$', 'i', 'Dell Inc. PowerEdge R640', true],
    ['^(?!.*test)(?:\\w+-)+\\d+$', '', 'rack-row-12', true],
    ['(?<=rack-)\\d+', '', 'row-7', false],
    ['K', 'i', '\u212a', false],
    ['[^k]', 'i', 'K', false],
    ['(?:a*)*$', '', 'b', true],
  ])('reads %s %s on %s as %s', (source, letters, within, wanted) => {
    expect(new RegExp(source, letters).test(within)).toBe(wanted);
    expect(searched(source, letters, within)).toBe(wanted);
  });

  it.each([
    ['^(a+)+$', `${'a'.repeat(16_000)}b`],
    ['^(a|aa)+$', `${'a'.repeat(16_000)}b`],
    ['^(\\w+\\s?)*$', `${'a'.repeat(16_000)}!`],
    ['^.*.*.*.*=$', 'a'.repeat(16_000)],
    ['(x+x+)+y', 'x'.repeat(16_000)],
  ])('ends soon where others do not: %s', (source, within) => {
    expect(boundedSearch(source, '', within)).toBe(false);
  });

  it.each([
    ['(\\w+) (\\1)+$', /refers back/],
    ['(?<n>a+)+\\k<n>', /refers back/],
    ['((a{1,200}){1,200}){1,200}b', /repeats too much/],
    ['^(?:(?:(?:){99999,}){99999,}){99999,}$', /repeats too much/],
    [`${'('.repeat(4000)}a${')'.repeat(4000)}+`, /too deep/],
    ['^(?:(?!.*c).)*$', /takes too long/],
  ])('says what is wrong with %s', (source, problem) => {
    expect(boundedSearch(source, '', 'ab'.repeat(5000))).toEqual({ problem: expect.stringMatching(problem) as string });
  });

  it.each([
    ['^(?:){2000000000}$', '', true],
    ['^(?:(?:){99999}){99999}$', '', true],
    [`^(?:){${'9'.repeat(400)}}$`, '', true],
    ['^(?:(?:){99999}a){2}$', 'aa', true],
  ])('does not count what is nothing: %s', (source, within, wanted) => {
    expect(searched(source, '', within)).toBe(wanted);
  });

  it.each([
    ['alternatives', `(?:${'a|'.repeat(30_000)}b)+`],
    ['empty alternatives', `(?:${'|'.repeat(30_000)})+`],
  ])('has a bound of its own for %s, and no fault', (_, source) => {
    const found = boundedSearch(source, '', 'b'.repeat(5000));
    expect([true, false, 'object']).toContain(typeof found === 'object' ? 'object' : found);
  });

  it('leaves harmless patterns to the machine, references back as well', () => {
    expect(boundedSearch('^[0-9]+$', '', '1'.repeat(900))).toBe(true);
    expect(boundedSearch('serial', 'i', `x${'y'.repeat(16_000)}Serial`)).toBe(true);
  });
});
