import type { Context, InspectInterfaceFacts } from '../commands';
import type { Effect, EffectOutcome } from '../effects';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { inspectionFailed } from './inspected';

type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

/** Data of the attempt is on its way to the inspector. */
export const isForwarding = ({ effects, inspection }: Node): boolean =>
  effects.some(({ task, attempt }) => task.kind === 'forward inspection data' && attempt === inspection?.attempt);

/**
 * Posted data goes on to the inspector, and the node waits for what that makes of it (contract: inspection.md §6.4, step 5). The
 * time of the wait begins anew with it (§1.2); what an operator has said of it holds: it is never due earlier than before, and a
 * pause lasts.
 */
export function waitingOn(node: Node, { counters }: NodeStream, { now: at }: Context): readonly NodeEvent[] {
  const { attempt = 0, timeoutSeconds = 0, manageBoot = null } = node.inspection ?? {};
  const before = node.deadlines.find(({ purpose }) => purpose === 'inspect wait');
  const due = Math.max(at + Math.ceil(timeoutSeconds * 1000), before?.due ?? 0);
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
  if (!deadline || typeof before?.pausedAt !== 'number' || !before.lastWord) return [waits];
  const { by, reason } = before.lastWord;
  return [waits, { type: 'DeadlinePaused', data: { at, deadline, by, reason } }];
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
