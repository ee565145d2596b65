import { KeptTexts, type KeptText } from '.';

const kept = (text: string): KeptText => ({
  json: '{}',
  placed: { uuid: 'u', driver: 'd', conductor_group: '' },
  host: null,
  text,
});

describe('kept texts', () => {
  it('are found by their key, the newest one', () => {
    const texts = new KeptTexts();
    texts.keep('a', kept('1'));
    texts.keep('a', kept('2'));
    expect([texts.find('a')?.text, texts.find('b')]).toEqual(['2', undefined]);
  });

  it('go when others came after them, unless they were asked for meanwhile', () => {
    const texts = new KeptTexts(100);
    const round = (name: string): void => {
      for (let i = 0; i < 20; i += 1) texts.keep(`${name}${i}`, kept('x'.repeat(10)));
    };
    texts.keep('used', kept('1'));
    texts.keep('unused', kept('1'));
    round('a');
    expect(texts.find('unused')).toBeUndefined();
    for (const name of ['b', 'c', 'd']) {
      texts.keep('used', kept('1'));
      for (let i = 0; i < 5; i += 1) texts.keep(`${name}${i}`, kept('x'.repeat(10)));
      expect(texts.find('used')?.text).toBe('1');
    }
  });
});
