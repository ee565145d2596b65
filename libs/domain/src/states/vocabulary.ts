/**
 * Closed lists of words that a node and its relatives carry beside the provision state.
 * contract: state-machine.json (faults, health_values, history_event_types, allocation_states)
 */

/** Why the conductor itself put a node into maintenance; null when it did not. */
export const faults = ['power failure', 'clean failure', 'rescue abort failure', 'service failure'] as const;
export type Fault = (typeof faults)[number];

/** Health as the BMC tells it; null when unknown. */
export const healthValues = ['OK', 'Warning', 'Critical', null] as const;
export type Health = (typeof healthValues)[number];

/** `event_type` of a history entry. */
export const historyEventTypes = [
  'provisioning',
  'takeover',
  'introspection',
  'conductor',
  'transition',
  'startup failure',
  'unprovision',
  'adoption',
  'console',
  'monitoring',
  'verify',
] as const;
export type HistoryEventType = (typeof historyEventTypes)[number];

export const allocationStates = ['allocating', 'active', 'error'] as const;
export type AllocationState = (typeof allocationStates)[number];
