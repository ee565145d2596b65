import type { Context, NodeCommand } from '../commands';
import type { Effect, EffectOutcome } from '../effects';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { notYours } from './guards';
import { foundOut } from './inspected';

type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

/**
 * The data of a machine that owns no port of any node (contract: inspection.md §6.6). It becomes a node in `enroll`, and stays
 * there whatever comes of its data. Where an earlier discovery left that node without ports, the data is for it.
 */
export function decideDiscover(
  { uuid, fields, payload, logs, tokenDigest }: Extract<NodeCommand, { type: 'Discover' }>,
  { node, counters }: NodeStream,
  { now: at, host }: Context,
): readonly NodeEvent[] {
  if (node && (node.provisionState !== 'enroll' || node.reservation)) throw notYours();
  const effect: Effect = {
    n: counters.effect + 1,
    attempt: null,
    task: { kind: 'process inspection data', payload, ...(logs && { logs }) },
  };
  const issued = (node?.agentTokenDigest ?? null) === null ? tokenDigest : null;
  return [
    ...(node ? [] : [{ type: 'NodeEnrolled', data: { at, uuid, fields, state: 'enroll', keyId: null } } as const]),
    { type: 'DiscoveryStarted', data: { at, effect, host, tokenDigest: issued } },
  ];
}

/** As of an inspection's data, but the node has no state to leave. */
export function decideDiscovered(
  { n: effect }: Effect,
  outcome: Ended,
  node: Node,
  context: Context,
): readonly NodeEvent[] {
  const { now: at } = context;
  if (outcome.result === 'failed') {
    const error = `Failed to finish inspection: ${outcome.reason}`;
    return [{ type: 'DiscoveryFailed', data: { at, effect, error } }];
  }
  const { inventory = null } = outcome.value;
  return [...foundOut(outcome.value, node, context), { type: 'DiscoveryFinished', data: { at, effect, inventory } }];
}
