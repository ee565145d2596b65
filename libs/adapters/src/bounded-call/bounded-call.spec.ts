import { ManualClock } from '@lib/testing/manual-clock';
import { pause, untilGivenUp, within } from './index';

const never = (): Promise<never> => new Promise(() => undefined);

describe('bounded calls', () => {
  it('passes on what the work comes to', async () => {
    const { signal } = new AbortController();
    await expect(untilGivenUp(Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(untilGivenUp(Promise.reject(new Error('own reason')), signal)).rejects.toThrow('own reason');
  });

  it('leaves work that hangs when the signal says so, also when it said so before', async () => {
    const abort = new AbortController();
    const left = untilGivenUp(never(), abort.signal);
    abort.abort();
    await expect(left).rejects.toThrow('given up');
    await expect(untilGivenUp(never(), abort.signal)).rejects.toThrow('given up');
  });

  it('pauses for exactly the time, and not at all once given up', async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const ended = jest.fn();
    const first = pause(1000, clock, abort.signal).then(ended);
    await clock.advanceBy(999);
    expect(ended).not.toHaveBeenCalled();
    await clock.advanceBy(1);
    await first;
    const cut = pause(1000, clock, abort.signal);
    abort.abort();
    await expect(cut).rejects.toThrow('given up');
    await expect(pause(1000, clock, abort.signal)).rejects.toThrow('given up');
    expect(clock.pending()).toBe(0);
  });

  it('gives null for what takes too long', async () => {
    const clock = new ManualClock();
    const slow = within(never(), 5000, clock);
    await clock.advanceBy(5000);
    expect(await slow).toBeNull();
    expect(await within(Promise.resolve('in time'), 5000, clock)).toBe('in time');
    expect(clock.pending()).toBe(0);
  });
});
