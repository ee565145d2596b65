/**
 * What a client may write as `target` of PUT .../states/provision, and the trigger it means.
 * contract: state-machine.json (api_target_to_event, api_targets), inspection.md §2
 */
import type { ProvisionState } from './names';

export const acceptedTargets = [
  'abort',
  'active',
  'adopt',
  'clean',
  'deleted',
  'deploy',
  'inspect',
  'manage',
  'provide',
  'rebuild',
  'rescue',
  'service',
  'undeploy',
  'unhold',
  'unrescue',
] as const;

export type ProvisionTarget = (typeof acceptedTargets)[number];

const triggerOfTarget: ReadonlyMap<string, string> = new Map([
  ['active', 'deploy'],
  ['deploy', 'deploy'],
  ['deleted', 'delete'],
  ['undeploy', 'delete'],
  ['manage', 'manage'],
  ['provide', 'provide'],
  ['inspect', 'inspect'],
  ['abort', 'abort'],
  ['clean', 'clean'],
  ['adopt', 'adopt'],
  ['rescue', 'rescue'],
  ['unrescue', 'unrescue'],
  ['unhold', 'unhold'],
  ['service', 'service'],
] as const);

/**
 * The trigger that a target asks for. A word that is no target is taken as the trigger itself: that is how `rebuild`
 * works, and why `done` or `wait` pass the state check before they are refused for want of a handler (400).
 */
export function verbToTrigger(target: string): string {
  return triggerOfTarget.get(target) ?? target;
}

/** Lowest minor API version of each target; below it the answer is 406. The server does not hold `undeploy` to 1.73. */
export const verbMinMinor: Readonly<Record<string, number>> = {
  active: 1,
  rebuild: 1,
  deleted: 1,
  undeploy: 1,
  manage: 4,
  provide: 4,
  inspect: 6,
  abort: 13,
  clean: 15,
  adopt: 17,
  rescue: 38,
  unrescue: 38,
  deploy: 73,
  unhold: 85,
  service: 87,
};

/** Version-checked only after the state check: where the state does not know them the answer is 400 at any version. */
export const verbsVersionedAfterState: ReadonlySet<string> = new Set(['unhold', 'service']);

/** States in which `abort` needs a newer version than its own 1.13; 406 below. */
export const abortMinMinor: Readonly<Partial<Record<ProvisionState, number>>> = {
  'inspect wait': 41,
  'wait call-back': 110,
};
