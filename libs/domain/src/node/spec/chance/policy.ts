import type { Policy } from '../..';
import { pick } from './throws';

/** Settings that change what the rules decide. */
export const policyOf = (policy: Policy, dice: number): Policy => ({
  ...policy,
  inspectWaitTimeoutSeconds: pick([1, 1800, 0], dice),
  callbackTimeoutSeconds: { ...policy.callbackTimeoutSeconds, 'clean wait': pick([1, 1, 1800, 0], dice) },
  waitTimeouts: dice % 5 !== 4,
  inspectorPowerOff: dice % 3 !== 2,
  fastTrack: dice % 7 === 6,
  ...(dice % 2 === 0
    ? { inspectRetry: { attempts: 2, groups: {}, backoffSeconds: pick([0, 1, 60], dice), factor: 2, secondsMax: 90 } }
    : {}),
  inspectingReturn: dice % 2 === 0 ? 'warn' : 'fail',
  peerLimitMs: pick([1, 32_000], dice),
});
