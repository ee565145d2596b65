/**
 * The named sets of the contract.
 * contract: state-machine.json (sets), inspection.md §1.1
 */
import { type ProvisionState, provisionStates } from './names';

const setOf = (...states: readonly ProvisionState[]): ReadonlySet<ProvisionState> => new Set(states);

/** Nothing happens to a node in these until someone asks; target_provision_state is null. */
export const stable = setOf('enroll', 'manageable', 'available', 'active', 'error', 'rescue');

/** States that may change without a request. Not the same as "not stable": failed and held states wait for someone. */
export const unstable = setOf(
  'deploying',
  'wait call-back',
  'cleaning',
  'clean wait',
  'verifying',
  'deleting',
  'inspecting',
  'inspect wait',
  'adopting',
  'rescuing',
  'rescue wait',
  'unrescuing',
  'servicing',
  'service wait',
);

/**
 * PATCH of a node (its ports, port groups) is generally allowed although the node is not stable; inspection.md §1.3 has the 1.39 rule for `inspecting`.
 * The contract lists the word "service" as well, which is a verb and no state: left out here.
 */
export const updateAllowed = setOf(
  'deploy failed',
  'inspecting',
  'inspect failed',
  'inspect wait',
  'clean failed',
  'error',
  'verifying',
  'adopt failed',
  'rescue failed',
  'unrescue failed',
  'service hold',
  'service failed',
);

/** DELETE without maintenance; `available` depends on [conductor] allow_deleting_available_nodes besides. */
export const deleteAllowed = setOf('manageable', 'enroll', 'adopt failed');

/** States that do not survive the death of their conductor: unreserved nodes found in them at start get `fail`. */
export const stuckTreatedAsFail = setOf(
  'deploying',
  'cleaning',
  'verifying',
  'inspecting',
  'adopting',
  'rescuing',
  'unrescuing',
  'deleting',
  'servicing',
);

/** A ramdisk may look its node up in these (with [api] restrict_lookup). */
export const lookupAllowed = setOf(
  'clean wait',
  'cleaning',
  'deploying',
  'inspect wait',
  'inspecting',
  'rescue wait',
  'rescuing',
  'service wait',
  'wait call-back',
);

/** The same with fast track, by driver_info.fast_track or [deploy] fast_track. */
export const lookupAllowedFastTrack = setOf(
  'available',
  'clean wait',
  'cleaning',
  'deploying',
  'enroll',
  'inspect wait',
  'inspecting',
  'manageable',
  'rescue wait',
  'rescuing',
  'service hold',
  'service wait',
  'servicing',
  'wait call-back',
);

/** States that tell of a failure; in them the text of last_error is still wanted. */
export const failure = setOf(
  'adopt failed',
  'clean failed',
  'deploy failed',
  'inspect failed',
  'rescue failed',
  'service failed',
  'unrescue failed',
);

/** The service family. */
export const servicing = setOf('service failed', 'service hold', 'service wait', 'servicing');

/** The inspection family. */
export const inspection = setOf('inspect failed', 'inspect wait', 'inspecting');

/** Names of the reference's list of states: the 30 of the machine and two that no node is ever stored in. */
export const allStateNames: ReadonlySet<string> = new Set([...provisionStates, 'deleted', 'deploy complete']);

export function isStable(state: ProvisionState): boolean {
  return stable.has(state);
}
