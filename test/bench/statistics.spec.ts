import { median, percentile, spread } from './statistics';

describe('what slices come to', () => {
  it('is the middle one of an odd number, and between the middle two of an even', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('takes percentiles by nearest rank', () => {
    const values = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect([0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([100, 198, 200]);
    expect(percentile([7], 0.01)).toBe(7);
  });

  it('keeps the outermost ones', () => expect(spread([2, 9, 4])).toEqual({ median: 4, min: 2, max: 9 }));
});
