/**
 * Waiting states and their deadlines.
 * contract: state-machine.json (timeouts), inspection.md §8
 */
import type { ProvisionState, Trigger } from './names';

export interface WaitTimeout {
  readonly state: ProvisionState;
  /** The node's own time stamp from which the wait is measured. For inspection that is the last entry into `inspecting`. */
  readonly since: 'inspection_started_at' | 'provision_updated_at';
  /** Section and name of the option that gives the length; 0 = never. */
  readonly option: { readonly section: 'conductor'; readonly name: string };
  readonly defaultS: number;
  readonly trigger: Trigger;
}

export const waitTimeouts: readonly WaitTimeout[] = [
  {
    state: 'inspect wait',
    since: 'inspection_started_at',
    option: { section: 'conductor', name: 'inspect_wait_timeout' },
    defaultS: 1800,
    trigger: 'fail',
  },
  {
    state: 'wait call-back',
    since: 'provision_updated_at',
    option: { section: 'conductor', name: 'deploy_callback_timeout' },
    defaultS: 1800,
    trigger: 'fail',
  },
  {
    state: 'clean wait',
    since: 'provision_updated_at',
    option: { section: 'conductor', name: 'clean_callback_timeout' },
    defaultS: 1800,
    trigger: 'fail',
  },
  {
    state: 'rescue wait',
    since: 'provision_updated_at',
    option: { section: 'conductor', name: 'rescue_callback_timeout' },
    defaultS: 1800,
    trigger: 'fail',
  },
  {
    state: 'service wait',
    since: 'provision_updated_at',
    option: { section: 'conductor', name: 'service_callback_timeout' },
    defaultS: 1800,
    trigger: 'fail',
  },
];

/** Whether a node in the state waits until the ramdisk of its work calls back; an inspection waits for data instead. */
export const isCallbackWait = (state: ProvisionState): boolean =>
  state !== 'inspect wait' && waitTimeoutOf(state) !== undefined;

/** The deadline that a state is waited in under, if any. */
export function waitTimeoutOf(state: ProvisionState): WaitTimeout | undefined {
  return waitTimeouts.find((timeout) => timeout.state === state);
}
