import { ManualClock } from '@lib/testing';
import { Looks } from './looks';
import { Stopped } from './pauses';

describe('looks for machines', () => {
  const seen: number[] = [];
  const setUp = async (waken: readonly number[]): Promise<number[]> => {
    seen.length = 0;
    const clock = new ManualClock(0);
    const looks = new Looks(clock, 2000);
    for (const at of waken) clock.after(at, () => looks.wake());
    const watch = async () => {
      for (;;) {
        seen.push(clock.now());
        await looks.next();
      }
    };
    const watching = watch().catch((error: unknown) => error);
    await clock.advanceBy(4100);
    looks.stop();
    expect(await watching).toBeInstanceOf(Stopped);
    return seen;
  };

  it.each<[readonly number[], number[]]>([
    [[], [0, 2000, 4000]],
    [[1000], [0, 1000, 3000]],
    [
      [100, 200, 300],
      [0, 500, 2500],
    ],
    [
      [1000, 1100],
      [0, 1000, 1500, 3500],
    ],
    [[0], [0, 500, 2500]],
  ])('woken at %j are at %j', async (waken, looks) => {
    expect(await setUp(waken)).toEqual(looks);
  });
});
