import { ManualClock } from './index';

describe('ManualClock', () => {
  it('stands still until it is moved', async () => {
    const clock = new ManualClock('2026-11-30T10:00:00Z');
    expect(clock.now()).toBe(Date.parse('2026-11-30T10:00:00Z'));
    await clock.advanceBy(1500);
    expect(clock.now()).toBe(Date.parse('2026-11-30T10:00:01.500Z'));
    await clock.advanceTo('2026-11-30T11:00:00Z');
    expect(clock.now()).toBe(Date.parse('2026-11-30T11:00:00Z'));
  });

  it('runs due timers in order of time, then of arming, each at its own time', async () => {
    const clock = new ManualClock(0);
    const ran: [string, number][] = [];
    const note = (name: string) => () => void ran.push([name, clock.now()]);
    clock.after(30, note('c'));
    clock.after(10, note('a'));
    clock.after(20, note('b1'));
    clock.after(20, note('b2'));
    clock.after(41, note('later'));
    await clock.advanceBy(40);
    expect(ran).toEqual([
      ['a', 10],
      ['b1', 20],
      ['b2', 20],
      ['c', 30],
    ]);
    expect(clock.nextDue()).toBe(41);
    expect(clock.pending()).toBe(1);
  });

  it('lets the work of one timer settle before the next, and runs timers armed by it', async () => {
    const clock = new ManualClock(0);
    const ran: string[] = [];
    const chain = async (): Promise<void> => {
      ran.push('first starts');
      for (let step = 0; step < 50; step++) await Promise.resolve();
      ran.push('first ends');
      clock.after(5, () => ran.push(`armed at ${clock.now()}`));
    };
    clock.after(10, () => void chain());
    clock.after(12, () => ran.push('second'));
    await clock.advanceTo(20);
    expect(ran).toEqual(['first starts', 'first ends', 'second', 'armed at 15']);
  });

  it('does not run what was cancelled, also by an earlier timer', async () => {
    const clock = new ManualClock(0);
    const run = jest.fn();
    const victim = clock.after(2, run);
    clock.after(1, () => victim.cancel());
    await clock.advanceBy(10);
    expect(run).not.toHaveBeenCalled();
  });

  it('takes moves one after the other', async () => {
    const clock = new ManualClock(0);
    const seen: number[] = [];
    clock.after(5, () => seen.push(clock.now()));
    await Promise.all([clock.advanceBy(3), clock.advanceBy(3)]);
    expect(clock.now()).toBe(6);
    expect(seen).toEqual([5]);
  });

  it('jumps without moving timers', async () => {
    const clock = new ManualClock(1000);
    const run = jest.fn();
    clock.after(100, run);
    clock.jumpTo(500_000);
    expect(clock.now()).toBe(500_000);
    expect(run).not.toHaveBeenCalled();
    clock.jumpTo(0);
    await clock.advanceBy(99);
    expect(run).not.toHaveBeenCalled();
    await clock.advanceBy(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('refuses to run backwards, and passes on the error of a timer', async () => {
    const clock = new ManualClock(0);
    expect(() => clock.advanceBy(-1)).toThrow(RangeError);
    await clock.advanceTo(10);
    await expect(clock.advanceTo(9)).rejects.toThrow(RangeError);
    clock.after(1, () => {
      throw new Error('broken timer');
    });
    await expect(clock.advanceBy(1)).rejects.toThrow('broken timer');
    await clock.advanceBy(1);
    expect(clock.now()).toBe(12);
  });
});
