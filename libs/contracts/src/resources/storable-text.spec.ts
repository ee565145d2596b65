import { columnsOf } from './documents';
import { cutText, isStorable, storable } from './storable-text';

describe('a text that is to be stored', () => {
  it.each([
    ['plain', 'plain'],
    ['pairs 💥 stay', 'pairs 💥 stay'],
    ['a\0b', 'a\ufffdb'],
    ['\ud83d', '\ufffd'],
    ['\udca5\ud83d', '\ufffd\ufffd'],
  ])('%j becomes %j', (text, stored) => {
    expect(storable(text)).toBe(stored);
    expect(isStorable(text)).toBe(text === stored);
  });

  it.each([
    ['💥💥💥', 2, '💥💥'],
    ['a💥💥', 2, 'a💥'],
    ['💥a💥', 3, '💥a💥'],
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['a\0\0\0', 2, 'a\ufffd'],
  ])('%j cut to %d characters is %j', (text, charsMax, cut) => expect(cutText(text, charsMax)).toBe(cut));

  it('is storable in every column', () => {
    const row = columnsOf('node', {
      last_error: 'a\0b',
      maintenance_reason: '\ud800',
      description: 'Ä\ud800',
      name: 'n',
    });
    expect(row).toMatchObject({
      last_error: 'a\ufffdb',
      maintenance_reason: '\ufffd',
      description_lower: 'ä\ufffd',
      name: 'n',
    });
  });
});
