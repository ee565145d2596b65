/**
 * The names of the provision state machine.
 * contract: state-machine.json (states, events), inspection.md §1.1
 */

/** All 30 states a node can be in: the six stable ones first, then family by family. */
export const provisionStates = [
  'enroll',
  'manageable',
  'available',
  'active',
  'error',
  'rescue',
  'verifying',
  'deploying',
  'wait call-back',
  'deploy failed',
  'deploy hold',
  'cleaning',
  'clean wait',
  'clean failed',
  'clean hold',
  'deleting',
  'inspecting',
  'inspect failed',
  'inspect wait',
  'adopting',
  'adopt failed',
  'rescuing',
  'rescue wait',
  'rescue failed',
  'unrescuing',
  'unrescue failed',
  'servicing',
  'service wait',
  'service failed',
  'service hold',
] as const;

export type ProvisionState = (typeof provisionStates)[number];

/** The 18 events that move a node. Some are asked for by a client (see verbs.ts), the others are raised by our own work. */
export const triggers = [
  'abort',
  'adopt',
  'clean',
  'delete',
  'deploy',
  'done',
  'fail',
  'hold',
  'inspect',
  'manage',
  'provide',
  'rebuild',
  'rescue',
  'resume',
  'service',
  'unhold',
  'unrescue',
  'wait',
] as const;

export type Trigger = (typeof triggers)[number];

const stateNames: ReadonlySet<string> = new Set(provisionStates);
const triggerNames: ReadonlySet<string> = new Set(triggers);

export function isProvisionState(text: unknown): text is ProvisionState {
  return typeof text === 'string' && stateNames.has(text);
}

export function isTrigger(text: unknown): text is Trigger {
  return typeof text === 'string' && triggerNames.has(text);
}
