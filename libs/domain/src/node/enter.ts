import { defaultTarget } from '../states';
import type { ProvisionState } from '../states';
import type { At } from './events';
import type { Node } from './state';

/** The node in another state, with what goes with every change of it. */
export const enter = (node: Node, state: ProvisionState, at: At): Node => ({
  ...node,
  provisionState: state,
  targetProvisionState: targetIn(node, state),
  provisionUpdatedAt: at,
  // A retry that waits is none any more once the node is somewhere else, whoever brought it there.
  deadlines: node.deadlines.filter(({ purpose }) => purpose !== 'retry'),
  ...inspectionStamps(node, state, at),
});

/** A target that was named lasts until the node has come to rest (contract: state-machine.json, transition_bookkeeping). */
function targetIn(node: Node, state: ProvisionState): ProvisionState | null {
  const usual = defaultTarget(state);
  const isNamed = node.targetProvisionState !== defaultTarget(node.provisionState);
  return usual !== null && isNamed ? node.targetProvisionState : usual;
}

/** Which stamps a change of state moves (contract: inspection.md §1.2). */
function inspectionStamps(node: Node, state: ProvisionState, at: At): Partial<Node> {
  const wasInspecting = node.provisionState === 'inspecting' || node.provisionState === 'inspect wait';
  if (state === 'inspecting') return { inspectionStartedAt: at, inspectionFinishedAt: null };
  if (state === 'manageable' && wasInspecting) return { inspectionStartedAt: null, inspectionFinishedAt: at };
  if (state === 'inspect failed' && wasInspecting) return { inspectionStartedAt: null };
  return {};
}
