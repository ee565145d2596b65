import { Refusal } from '@lib/domain';
import { refusalOf, specify } from '.';

type Coin = { readonly type: 'Inserted'; readonly at: number };

const given = specify(
  {
    initial: 0,
    decide: (command: 'insert' | 'look' | 'shake', coins: number, at: number): Coin[] => {
      if (command === 'shake') throw new Error('a bug');
      if (command === 'look') return [];
      if (coins === 2) throw new Refusal('NODE_LOCKED', 'full', true);
      return [{ type: 'Inserted', at }];
    },
    evolve: (coins: number) => coins + 1,
  },
  (at: number) => at,
);
const coin: Coin = { type: 'Inserted', at: 1 };

describe('specify', () => {
  it('compares what was decided', () => {
    given(coin).when('insert', 1).then(coin);
    given(coin).when('look', 1).thenNothing();
    expect(() => given().when('insert', 2).then(coin)).toThrow();
    expect(() => given().when('insert', 2).thenNothing()).toThrow();
  });

  it('folds the past, listed singly or in runs, and what was decided', () => {
    expect(given([coin], []).when('insert', 1).thenState()).toBe(2);
  });

  it('compares code and patience of a refusal', () => {
    given([coin, coin]).when('insert', 1).thenRefused('NODE_LOCKED', true);
    expect(() => given([coin, coin]).when('insert', 1).thenRefused('NODE_LOCKED')).toThrow();
    expect(() => given([coin, coin]).when('insert', 1).thenRefused('INVALID_STATE', true)).toThrow();
  });

  it('takes neither a bug nor an acceptance for a refusal', () => {
    expect(() => given().when('shake', 1).thenRefused('NODE_LOCKED')).toThrow('a bug');
    expect(() => refusalOf(() => 'fine')).toThrow('nothing was refused');
  });
});
