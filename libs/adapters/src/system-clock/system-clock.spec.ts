import { spawnSync } from 'node:child_process';
import { systemChance, systemClock } from './index';

const elapse = (delayMs: number): Promise<number> => {
  const start = performance.now();
  return new Promise((resolve) => {
    // Keeps the test alive: the clock's own timers do not.
    const hold = setInterval(() => undefined, 1000);
    systemClock.after(delayMs, () => {
      clearInterval(hold);
      resolve(performance.now() - start);
    });
  });
};

describe('systemClock', () => {
  it('never fires early', async () => {
    const waited = await Promise.all(Array.from({ length: 200 }, (_, n) => elapse(n % 20).then((ms) => ms - (n % 20))));
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(0);
  });

  it('runs a negative delay as soon as it can', async () => {
    expect(await elapse(-5)).toBeGreaterThanOrEqual(0);
  });

  it('does not run a timer that was cancelled', async () => {
    const run = jest.fn();
    systemClock.after(1, run).cancel();
    await elapse(20);
    expect(run).not.toHaveBeenCalled();
  });

  it('holds a timer of ten years, which Node alone would fire at once', async () => {
    const run = jest.fn();
    const timer = systemClock.after(10 * 366 * 24 * 60 * 60 * 1000, run);
    await elapse(50);
    timer.cancel();
    expect(run).not.toHaveBeenCalled();
  });

  it('counts a wait of many days piece by piece', () => {
    jest.useFakeTimers();
    try {
      const run = jest.fn();
      const days = 60 * 24 * 60 * 60 * 1000;
      systemClock.after(days, run);
      jest.advanceTimersByTime(days - 1);
      expect(run).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      expect(run).toHaveBeenCalledTimes(1);
    } finally {
      jest.useRealTimers();
    }
  });

  it('refuses a delay that is no number', () => {
    expect(() => systemClock.after(Number.NaN, () => undefined)).toThrow(RangeError);
    expect(() => systemClock.after(Number.POSITIVE_INFINITY, () => undefined)).toThrow(RangeError);
  });

  it('never keeps a process alive', () => {
    const script = `require('@swc/core');
      const { code } = require('@swc/core').transformFileSync('${__dirname}/system-clock.ts', { module: { type: 'commonjs' } });
      const exports_ = {}; new Function('exports', 'require', code)(exports_, require);
      exports_.systemClock.after(60000, () => console.log('fired'));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
      timeout: 20_000,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('systemChance', () => {
  it('makes uuids, bytes and fractions that differ', () => {
    expect(systemChance.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(systemChance.uuid()).not.toBe(systemChance.uuid());
    expect(systemChance.bytes(16)).toHaveLength(16);
    expect(systemChance.bytes(16)).not.toEqual(systemChance.bytes(16));
    const fractions = Array.from({ length: 1000 }, () => systemChance.random());
    expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
    expect(new Set(fractions).size).toBe(1000);
  });
});
