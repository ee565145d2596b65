import { assertSubject, assertSubjectPattern, subjectMatches } from './bus-subject';

describe('subjects of the bus', () => {
  it.each([
    ['a.b.c', 'a.b.c', true],
    ['a.b.c', 'a.b', false],
    ['a.b', 'a.b.c', false],
    ['a.*.c', 'a.b.c', true],
    ['a.*', 'a', false],
    ['a.*', 'a.b.c', false],
    ['*', 'a', true],
    ['a.>', 'a.b', true],
    ['a.>', 'a.b.c.d', true],
    ['a.>', 'a', false],
    ['>', 'a.b', true],
    ['a.*.>', 'a.b.c', true],
    ['a.*.>', 'a.b', false],
    ['a.b', 'A.b', false],
  ])('%s takes %s: %s', (pattern, subject, takes) => {
    expect(subjectMatches(pattern, subject)).toBe(takes);
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'a b', 'a.*', 'a.>', 'a\r\nPUB x 0', 'a*'])('%j is no subject', (subject) => {
    expect(() => assertSubject(subject)).toThrow(TypeError);
  });

  it.each(['', 'a.', '>.a', 'a.>.b', 'a b', 'a*', 'a.b>'])('%j is no pattern', (pattern) => {
    expect(() => assertSubjectPattern(pattern)).toThrow(TypeError);
  });

  it('takes uuids, underscores and dashes as words', () => {
    expect(() => assertSubject('bare_metal-2.v1.cmd.node.create.1be26c0b-03f2-4d2e-ae87-c02d7f33c123')).not.toThrow();
    expect(() => assertSubjectPattern('x.*.y.>')).not.toThrow();
  });
});
