import { kernelParametersIn, kernelParameterProblem, mergedParameters } from '.';

describe('kernel parameters', () => {
  it.each([
    ['console=ttyS0,115200n8 nomodeset', ['console=ttyS0,115200n8', 'nomodeset']],
    ['  a=1   b  ', ['a=1', 'b']],
    ['', []],
    ['url=http://[2001:db8::1]:6385/v1?x=%20', ['url=http://[2001:db8::1]:6385/v1?x=%20']],
  ])('of %j are read', (text, expected) => {
    expect(kernelParametersIn(text)).toEqual(expected);
  });

  it.each([
    'a="b c"',
    'a=`x`',
    'a=$HOME',
    'a=${net0/mac}',
    'a;b',
    '#comment',
    'a || b',
    '&& b',
    'a\\b',
    '=x',
    'a\nb',
    'ä',
  ])('of %j are refused: a boot loader would read more than a parameter', (text) => {
    expect(kernelParametersIn(text)).toEqual({ problem: expect.stringMatching(/kernel parameter/) });
  });

  it('never hold a blank or a line end, nor repeat it in the complaint', () => {
    for (const odd of ['a b', 'a\tb', 'a\nboot', 'a\u0000', '']) {
      const problem = kernelParameterProblem(odd);
      expect(problem).toMatch(/blanks, line ends/);
      expect(/^[ -~]*$/.test(problem ?? '')).toBe(true);
    }
    expect(kernelParametersIn('a '.repeat(101))).toEqual({ problem: expect.stringContaining('more than 100') });
  });

  it('of one name are one, the later one', () => {
    expect(mergedParameters(['a=1', 'b', 'c=x=y'], ['b=2', 'd'])).toEqual(['a=1', 'b=2', 'c=x=y', 'd']);
  });
});
