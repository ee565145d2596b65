import { unstable } from '../states';
import type { StateChange } from './changes';

export type ChangeStatus = 'start' | 'success' | 'end' | 'error';

/**
 * How a change is told of (contract: inspection.md §1.4, notifications.md §3). An abort ends well although it leads to a failed
 * state: the trigger is not `fail`, and a failed state does not change by itself.
 */
export function changeStatus({ trigger, from, to }: Pick<StateChange, 'trigger' | 'from' | 'to'>): ChangeStatus {
  if (trigger === 'fail') return 'error';
  if (!unstable.has(from) && unstable.has(to)) return 'start';
  if (unstable.has(from) && !unstable.has(to)) return 'end';
  return 'success';
}
