import { ManualClock } from '@lib/testing';
import { Progress } from './progress';
import type { FleetResult } from './run';

const result = (differences: readonly string[]) => ({ differences }) as FleetResult;

describe('how far a fleet is', () => {
  let clock: ManualClock;
  let text: string;
  const on = (live: boolean) => {
    const write = (more: string): void => void (text += more);
    return new Progress({ live, colour: false, width: () => 80, height: () => 24, write }, 3, clock);
  };

  beforeEach(() => {
    [clock, text] = [new ManualClock(), ''];
  });

  it('is told every ten seconds where lines stay, also while no node ends, and not once it is over', async () => {
    const progress = on(false);
    progress.add(result([]));
    progress.add(result(['state']));
    await clock.advanceBy(90_000);
    progress.close();
    await clock.advanceBy(90_000);
    const spans = ['10 s', '20 s', '30 s', '40 s', '50 s', '1 min 0 s', '1 min 10 s', '1 min 20 s', '1 min 30 s'];
    expect(text).toBe(spans.map((span) => `2 of 3 nodes have ended, 1 not as scripted, ${span}\n`).join(''));
  });

  it('is redrawn in place with each node and each second', async () => {
    const progress = on(true);
    await clock.advanceBy(1_000);
    progress.add(result([]));
    await clock.advanceBy(1_000);
    progress.close();
    const drawn = text.match(/\d of 3 nodes have ended, [\d.]+ s/g);
    expect(drawn).toEqual([
      '0 of 3 nodes have ended, 0.0 s',
      '0 of 3 nodes have ended, 1.0 s',
      '1 of 3 nodes have ended, 1.0 s',
      '1 of 3 nodes have ended, 2.0 s',
    ]);
  });
});
