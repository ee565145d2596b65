import type { NodeFields } from './fields';

/** The driver_info key of a node's own deadline, in seconds; 0 = never. */
export const WAIT_TIMEOUT_KEY = 'inspect_wait_timeout';

/** Ten years. Longer waits are mistakes, and would reach the end of what timers can count. */
export const WAIT_TIMEOUT_SECONDS_MAX = 10 * 365 * 24 * 3600;

/** What is wrong with a node's own deadline, null when it is absent or good. */
export function waitTimeoutProblem(driverInfo: Readonly<Record<string, unknown>>): string | null {
  const value = Object.hasOwn(driverInfo, WAIT_TIMEOUT_KEY) ? driverInfo[WAIT_TIMEOUT_KEY] : undefined;
  if (value === undefined || value === null) return null;
  const good = typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= WAIT_TIMEOUT_SECONDS_MAX;
  return good
    ? null
    : `driver_info/${WAIT_TIMEOUT_KEY} must be a number of seconds from 0 (never) to ${WAIT_TIMEOUT_SECONDS_MAX}`;
}

/** What settings say of it. */
interface WaitPolicy {
  readonly waitTimeouts: boolean;
  readonly inspectWaitTimeoutSeconds: number;
}

/** The timeout in force for an attempt that starts now. */
export function inspectWaitTimeoutOf(
  fields: NodeFields,
  policy: WaitPolicy,
): { seconds: number; from: 'node' | 'settings' } {
  const own = fields.driver_info[WAIT_TIMEOUT_KEY];
  if (typeof own === 'number') return { seconds: policy.waitTimeouts ? own : 0, from: 'node' };
  return { seconds: policy.waitTimeouts ? policy.inspectWaitTimeoutSeconds : 0, from: 'settings' };
}
