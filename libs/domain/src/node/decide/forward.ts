import type { Context, InspectInterfaceFacts } from '../commands';
import type { Effect, EffectOutcome } from '../effects';
import type { DeadlineSpec, NodeEvent } from '../events';
import { leftMs } from '../state';
import type { Deadline, Node, NodeStream } from '../state';
import { inspectionFailed } from './inspected';

type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

/** Anybody may post, and each time the wait begins anew: beyond this many times it does not, so that it ends. */
export const FORWARDS_PER_ATTEMPT_MAX = 5;

/** Whether the attempt's inspector is given no more data: some is on its way to it, or it has had its share. */
export const isInspectorServed = (node: Node): boolean =>
  isForwarding(node) || (node.inspection?.forwards ?? 0) >= FORWARDS_PER_ATTEMPT_MAX;

/** Data of the attempt is on its way to the inspector. */
export const isForwarding = ({ effects, inspection }: Node): boolean =>
  effects.some(({ task, attempt }) => task.kind === 'forward inspection data' && attempt === inspection?.attempt);

/**
 * Posted data goes on to the inspector, and the node waits for what that makes of it (contract: inspection.md §6.4, step 5). The
 * time of the wait begins anew with it (§1.2); what an operator has said of the wait before is said of this one.
 */
export function waitingOn(node: Node, { counters }: NodeStream, { now: at }: Context): readonly NodeEvent[] {
  const { attempt = 0, timeoutSeconds = 0, manageBoot = null } = node.inspection ?? {};
  const before = node.deadlines.find(({ purpose }) => purpose === 'inspect wait');
  const due = at + Math.ceil(timeoutSeconds * 1000);
  const deadline = timeoutSeconds > 0 ? { n: counters.deadline + 1, due } : null;
  const addresses = node.driverInternalInfo['lookup_bmc_addresses'];
  const waits: NodeEvent = {
    type: 'InspectionWaiting',
    data: {
      at,
      attempt,
      effect: null,
      deadline,
      manageBoot,
      lookupBmcAddresses: Array.isArray(addresses) ? (addresses as string[]) : [],
      next: null,
      deprecatedReturn: false,
    },
  };
  return deadline && before ? [waits, ...saidAgain(before, deadline, at)] : [waits];
}

/** It has no less time left than an operator had left it before, and a pause lasts. */
function saidAgain(before: Deadline, { n, due }: DeadlineSpec, at: number): readonly NodeEvent[] {
  const { lastWord, pausedAt } = before;
  if (!lastWord) return [];
  const { by, reason } = lastWord;
  const deadline = { n, due: Math.max(due, at + leftMs(before, at)) };
  const said = { at, deadline, by, reason };
  return [
    ...(deadline.due > due ? [{ type: 'DeadlineExtended', data: { ...said, before: due } } as const] : []),
    ...(typeof pausedAt === 'number' ? [{ type: 'DeadlinePaused', data: said } as const] : []),
  ];
}

/** What the inspector answered is its own affair; that it could not be reached fails the inspection (contract: inspector-api.md §5). */
export function decideForwarded(
  effect: Effect,
  outcome: Ended,
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent {
  if (outcome.result === 'done') {
    return { type: 'EffectClosed', data: { at: context.now, effect: effect.n, outcome: 'done' } };
  }
  const error = `Failed to finish inspection: ${outcome.reason}`;
  return inspectionFailed({ effect, cause: 'failed', error, history: true }, facts, node, stream, context);
}
