import { refusalOf } from '@lib/testing/specify';
import { WAIT_TIMEOUT_SECONDS_MAX, checkOwnInspection, inspectWaitTimeoutOf } from '.';
import { policy, someFields } from './spec';

describe('driver_info.inspect_wait_timeout', () => {
  it('may be absent', () => expect(() => checkOwnInspection({})).not.toThrow());

  it.each([null, 0, 1, 0.5, 1800, 2_147_484, WAIT_TIMEOUT_SECONDS_MAX])('may be %p', (value) => {
    expect(() => checkOwnInspection({ inspect_wait_timeout: value })).not.toThrow();
  });

  it.each([
    -1,
    -0.001,
    NaN,
    Infinity,
    -Infinity,
    WAIT_TIMEOUT_SECONDS_MAX + 1,
    Number.MAX_VALUE,
    '1800',
    '',
    'never',
    true,
    false,
    [],
    [5],
    {},
  ])('is refused as %p', (value) => {
    const refusal = refusalOf(() => checkOwnInspection({ inspect_wait_timeout: value }));
    expect([refusal.code, refusal.message]).toEqual([
      'INVALID_PARAMETER',
      expect.stringContaining('inspect_wait_timeout'),
    ]);
  });

  it('may be ten years long', () => expect(WAIT_TIMEOUT_SECONDS_MAX).toBe(315_360_000));

  it("that is inherited is not the node's", () => {
    expect(() =>
      checkOwnInspection(Object.create({ inspect_wait_timeout: -1 }) as Record<string, unknown>),
    ).not.toThrow();
  });

  it('goes before the settings, null and absent do not', () => {
    const inForce = (driver_info: Record<string, unknown>) => inspectWaitTimeoutOf(someFields({ driver_info }), policy);
    expect(inForce({ inspect_wait_timeout: 0 })).toEqual({ seconds: 0, from: 'node' });
    expect(inForce({ inspect_wait_timeout: 2.5 })).toEqual({ seconds: 2.5, from: 'node' });
    expect(inForce({ inspect_wait_timeout: null })).toEqual({ seconds: 1800, from: 'settings' });
    expect(inForce({})).toEqual({ seconds: 1800, from: 'settings' });
  });
});
