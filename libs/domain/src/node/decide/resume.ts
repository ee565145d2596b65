import type { Context, InspectInterfaceFacts, NodeCommand } from '../commands';
import type { Effect, EffectOutcome, EffectTask } from '../effects';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { isInspectorServed, waitingOn } from './forward';
import { notYours, unreserved } from './guards';
import { foundOut, inspectionFailed, inspectionFound } from './inspected';

type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

/**
 * Data of a ramdisk (contract: inspection.md §6.4, §6.5). Taken in `inspect wait`; a ramdisk that was quicker than its start
 * waits for it as for any reservation; everything else is the same "not found", whatever the reason. Where an inspector
 * processes the data, the node waits on for it.
 */
export function decideContinue(
  command: Extract<NodeCommand, { type: 'ContinueInspection' }>,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  const { now: at, host } = context;
  const node = stream.node;
  if (!node?.inspection) throw notYours();
  if (startIsOpen(node)) unreserved(node);
  if (node.provisionState !== 'inspect wait' || isInspectorServed(node)) throw notYours();
  unreserved(node);
  const { attempt } = node.inspection;
  const { payload, logs, tokenDigest, inspect } = command;
  const task: EffectTask = inspect.startsIntrospection
    ? { kind: 'forward inspection data', payload }
    : { kind: 'process inspection data', payload, ...(logs && { logs }) };
  const effect: Effect = { n: stream.counters.effect + 1, attempt, task };
  const issued = node.agentTokenDigest === null ? tokenDigest : null;
  const resumed: NodeEvent = { type: 'InspectionResumed', data: { at, attempt, effect, host, tokenDigest: issued } };
  return inspect.startsIntrospection ? [resumed, ...waitingOn(node, stream, context)] : [resumed];
}

/** In `inspecting`, and not because data is being processed. */
export const startIsOpen = ({ provisionState, inspection, effects }: Node): boolean =>
  provisionState === 'inspecting' &&
  effects.some(({ task, attempt }) => task.kind === 'inspect' && attempt === inspection?.attempt);

/** What hooks and rules made of the data: properties and the like, then `done` after its clean-up (contract: inspection.md §6.4, §4.4). */
export function decideProcessed(
  effect: Effect,
  outcome: Ended,
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  if (outcome.result === 'failed') {
    const error = `Failed to finish inspection: ${outcome.reason}`;
    return [inspectionFailed({ effect, cause: 'failed', error, history: true }, facts, node, stream, context)];
  }
  return [
    ...foundOut(outcome.value, node, context),
    inspectionFound({ ...outcome.value, effect: effect.n }, facts, node, stream, context),
  ];
}
