import { objectsOf, pairsOf } from './structured';

const description = { meaning: 'what it does', readBy: ['conductor'] } as const;

describe('pairs', () => {
  const option = pairsOf({
    ...description,
    accepts: 'pairs',
    default: [['a', 'b']],
    problemOf: ([key]) => (key === 'bad' ? 'it is bad' : undefined),
  });

  it.each([
    ['a:b', [['a', 'b']]],
    [
      ' a : b , c:d ',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['2001:db8::/64:net', [['2001:db8::/64', 'net']]],
    ['', []],
  ])('%j', (text, value) => {
    expect(option.parse(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['a', '"a" is not key:value'],
    ['a:b,', '"" is not key:value'],
    [':b', '":b" is not key:value'],
    ['bad:b', 'it is bad'],
  ])('%j is refused', (text, problem) => {
    expect(option.parse(text)).toEqual({ ok: false, problem });
  });

  it('are shown as they would be written', () => {
    expect(option.defaultText).toBe('a:b');
  });
});

describe('objects', () => {
  const option = objectsOf({ ...description, keys: ['id', 'name'] });

  it.each([
    ['{"id": "1", "name": "a"}', [{ id: '1', name: 'a' }]],
    [
      '[{"id": "1", "name": "a"}, {"id": "2", "name": "b"}]',
      [
        { id: '1', name: 'a' },
        { id: '2', name: 'b' },
      ],
    ],
    ['', []],
  ])('%s', (text, value) => {
    expect(option.parse(text)).toEqual({ ok: true, value });
  });

  it.each(['{', '7', '{"id": "1"}', '{"id": "1", "name": 2}', '{"id": "1", "name": "a", "more": "b"}', '[null]'])(
    '%s is refused',
    (text) => {
      expect(option.parse(text).ok).toBe(false);
    },
  );
});
