import type { ProvisionState, Trigger } from './names';

/**
 * The provision state machine: 30 states, 93 transitions. Whatever is not in this table cannot happen.
 * docs/states.md and docs/states.svg are drawn from it.
 * contract: state-machine.json (transitions)
 */
export const transitions: Readonly<Record<ProvisionState, Readonly<Partial<Record<Trigger, ProvisionState>>>>> = {
  enroll: { manage: 'verifying' },
  manageable: { provide: 'cleaning', clean: 'cleaning', inspect: 'inspecting', adopt: 'adopting' },
  available: { deploy: 'deploying', manage: 'manageable' },
  active: { rebuild: 'deploying', delete: 'deleting', rescue: 'rescuing', service: 'servicing' },
  error: { rebuild: 'deploying', delete: 'deleting' },
  rescue: { rescue: 'rescuing', delete: 'deleting', unrescue: 'unrescuing' },
  verifying: { done: 'manageable', fail: 'enroll' },
  deploying: { fail: 'deploy failed', wait: 'wait call-back', hold: 'deploy hold', done: 'active' },
  'wait call-back': {
    hold: 'deploy hold',
    resume: 'deploying',
    fail: 'deploy failed',
    abort: 'deploy failed',
    delete: 'deleting',
  },
  'deploy failed': { rebuild: 'deploying', deploy: 'deploying', delete: 'deleting' },
  'deploy hold': { unhold: 'wait call-back', abort: 'deploy failed' },
  cleaning: { done: 'available', fail: 'clean failed', wait: 'clean wait', hold: 'clean hold', manage: 'manageable' },
  'clean wait': { fail: 'clean failed', abort: 'clean failed', hold: 'clean hold', resume: 'cleaning' },
  'clean failed': { manage: 'manageable' },
  'clean hold': { abort: 'clean failed', unhold: 'clean wait' },
  deleting: { fail: 'error', clean: 'cleaning' },
  inspecting: { done: 'manageable', fail: 'inspect failed', wait: 'inspect wait' },
  'inspect failed': { manage: 'manageable', inspect: 'inspecting' },
  'inspect wait': { done: 'manageable', fail: 'inspect failed', abort: 'inspect failed', resume: 'inspecting' },
  adopting: { done: 'active', fail: 'adopt failed' },
  'adopt failed': { adopt: 'adopting', manage: 'manageable' },
  rescuing: { done: 'rescue', wait: 'rescue wait', fail: 'rescue failed' },
  'rescue wait': { resume: 'rescuing', fail: 'rescue failed', abort: 'rescue failed', delete: 'deleting' },
  'rescue failed': { rescue: 'rescuing', unrescue: 'unrescuing', delete: 'deleting' },
  unrescuing: { done: 'active', fail: 'unrescue failed' },
  'unrescue failed': { rescue: 'rescuing', unrescue: 'unrescuing', delete: 'deleting' },
  servicing: { done: 'active', fail: 'service failed', wait: 'service wait', hold: 'service hold' },
  'service wait': {
    hold: 'service hold',
    resume: 'servicing',
    fail: 'service failed',
    abort: 'service failed',
    delete: 'deleting',
  },
  'service failed': {
    service: 'servicing',
    rescue: 'rescuing',
    wait: 'service wait',
    hold: 'service hold',
    delete: 'deleting',
    abort: 'active',
  },
  'service hold': { service: 'servicing', unhold: 'service wait', fail: 'service failed', abort: 'service failed' },
};

/** Where a trigger takes a node, or undefined when the state does not know it (an invalid-state refusal for a client). */
export function nextState(state: ProvisionState, trigger: Trigger): ProvisionState | undefined;
export function nextState(state: ProvisionState, trigger: string): ProvisionState | undefined;
export function nextState(state: ProvisionState, trigger: string): ProvisionState | undefined {
  const row: Readonly<Record<string, ProvisionState | undefined>> = transitions[state];
  return Object.hasOwn(row, trigger) ? row[trigger] : undefined;
}

/**
 * Whether a conductor is at work while a node is in the state, so that the state does not survive its conductor: it can
 * fail, and nobody else is waited for there. Read from the table: what is entered by `wait` or `hold` waits for a callback
 * or an operator.
 */
export const isWork = (state: ProvisionState): boolean =>
  nextState(state, 'fail') !== undefined && !reachedBy('wait', state) && !reachedBy('hold', state);

/** Whether an operator is waited for, who says when to go on. Nobody ends that but he: it has no deadline. */
export const isHold = (state: ProvisionState): boolean => nextState(state, 'unhold') !== undefined;

const reachedBy = (trigger: Trigger, state: ProvisionState): boolean =>
  Object.values(transitions).some((row) => row[trigger] === state);

/** One row of the table; its order is that of the table. */
export interface Transition {
  readonly from: ProvisionState;
  readonly trigger: Trigger;
  readonly to: ProvisionState;
}

/** The table as a flat list, for drawings and tests. */
export function transitionRows(): readonly Transition[] {
  return Object.entries(transitions).flatMap(([from, row]) =>
    Object.entries(row).map(([trigger, to]) => ({ from, trigger, to }) as Transition),
  );
}

const defaultTargets: Readonly<Record<ProvisionState, ProvisionState | null>> = {
  enroll: null,
  manageable: null,
  available: null,
  active: null,
  error: null,
  rescue: null,
  verifying: 'manageable',
  deploying: 'active',
  'wait call-back': 'active',
  'deploy failed': 'active',
  'deploy hold': 'active',
  cleaning: 'available',
  'clean wait': 'available',
  'clean failed': 'available',
  'clean hold': 'available',
  deleting: 'available',
  inspecting: 'manageable',
  'inspect failed': 'manageable',
  'inspect wait': 'manageable',
  adopting: 'active',
  'adopt failed': 'active',
  rescuing: 'rescue',
  'rescue wait': 'rescue',
  'rescue failed': 'rescue',
  unrescuing: 'active',
  'unrescue failed': 'active',
  servicing: 'active',
  'service wait': 'active',
  'service failed': 'active',
  'service hold': 'active',
};

/**
 * The state that a node in this state is on its way to when nobody named another: what `target_provision_state` reads.
 * Null for stable states. Note that a failed state keeps its target (inspect failed: manageable).
 * contract: state-machine.json (notes.default_target), inspection.md §1.1
 */
export function defaultTarget(state: ProvisionState): ProvisionState | null {
  return defaultTargets[state];
}
