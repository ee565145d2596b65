import { ManualClock } from '@lib/testing';
import { Budget } from './budget';

describe('Budget', () => {
  it('gives what it has, then lets the others wait in line', async () => {
    const budget = new Budget(10, 5, new ManualClock());
    const order: string[] = [];
    expect(await budget.take(6, 1000)).toBe(true);
    const large = budget.take(8, 1000).then(() => order.push('large'));
    const small = budget.take(1, 1000).then(() => order.push('small'));
    await Promise.resolve();
    expect(order).toEqual([]);
    budget.giveBack(6);
    await Promise.all([large, small]);
    expect(order).toEqual(['large', 'small']);
  });

  it('a wait ends with its patience, and those behind it go on', async () => {
    const clock = new ManualClock();
    const budget = new Budget(10, 5, clock);
    await budget.take(6, 1000);
    const large = budget.take(8, 100);
    const small = budget.take(4, 1000);
    await clock.advanceBy(100);
    expect(await large).toBe(false);
    expect(await small).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it('refuses at once what it could never give, and whom its line cannot hold', async () => {
    const budget = new Budget(10, 1, new ManualClock());
    expect(await budget.take(11, 1000)).toBe(false);
    await budget.take(10, 1000);
    const waiting = budget.take(1, 1000);
    expect(await budget.take(1, 1000)).toBe(false);
    budget.clear();
    expect(await waiting).toBe(false);
  });
});
