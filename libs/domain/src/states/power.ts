/**
 * Power: what a node reports and what may be asked for.
 * contract: state-machine.json (power_states), node-api.md §11
 */

export type PowerState = 'power on' | 'power off';
/** Null: not known (yet). */
export type ReportedPowerState = PowerState | null;

export const reportedPowerStates: readonly ReportedPowerState[] = ['power on', 'power off', null];

export const powerTargets = ['power on', 'power off', 'rebooting', 'soft rebooting', 'soft power off'] as const;

export type PowerTarget = (typeof powerTargets)[number];

const finalStates: Readonly<Record<PowerTarget, PowerState>> = {
  'power on': 'power on',
  'power off': 'power off',
  rebooting: 'power on',
  'soft rebooting': 'power on',
  'soft power off': 'power off',
};

/** The state in which a node is once the request was carried out. */
export function finalPowerStateOf(request: PowerTarget): PowerState {
  return finalStates[request];
}

export function isPowerTarget(text: unknown): text is PowerTarget {
  return powerTargets.some((target) => target === text);
}

/** Lowest minor API version of the two soft requests, and of a timeout with any request; 406 below. */
export const softPowerMinMinor = 27;

export function isSoftPowerTarget(target: PowerTarget): boolean {
  return target === 'soft rebooting' || target === 'soft power off';
}
