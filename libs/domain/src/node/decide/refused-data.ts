import { Refusal } from '../../refusal';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { Node, NodeStream, RefusedData } from '../state';
import { isForwarding } from './forward';
import { existing } from './guards';
import { startedWith } from './with-data';

type KeepRefused = Extract<NodeCommand, { type: 'KeepRefused' }>;
type PromoteRefused = Extract<NodeCommand, { type: 'PromoteRefused' }>;

/** Anybody may post: beyond these nothing is kept until the node is inspected anew. */
export const REFUSED_PER_ATTEMPT_MAX = 5;
export const REFUSED_BYTES_PER_ATTEMPT_MAX = 16 * 1024 * 1024;

/**
 * Data that was answered with "not found" (contract: inspection.md §6.5) and whose node is known all the same: kept once for each
 * content and attempt, so that an operator may look at it and use it.
 */
export function decideKeepRefused(
  { payload, bytes }: KeepRefused,
  { node, counters }: NodeStream,
  { now: at }: Context,
): readonly NodeEvent[] {
  if (!node) return [];
  const { attempt } = counters;
  const sinceStart = node.refused.filter((one) => one.attempt === attempt);
  const isKnown = sinceStart.some((one) => isSame(one, payload));
  const bytesKept = sinceStart.reduce((sum, one) => sum + one.bytes, 0);
  const isFull = sinceStart.length >= REFUSED_PER_ATTEMPT_MAX || bytesKept + bytes > REFUSED_BYTES_PER_ATTEMPT_MAX;
  if (isKnown || isFull) return [];
  const n = (node.refused.at(-1)?.n ?? 0) + 1;
  const data = { at, record: n, attempt, state: node.provisionState, why: whyRefused(node), payload, bytes };
  return [{ type: 'InspectionDataRefused', data }];
}

const isSame = ({ payload: one }: RefusedData, other: RefusedData['payload']): boolean =>
  one.inventory === other.inventory && one.pluginData === other.pluginData;

function whyRefused(node: Node): RefusedData['why'] {
  if (node.inspection === null) return 'late';
  return node.provisionState === 'inspecting' || isForwarding(node) ? 'duplicate' : 'not expected';
}

/** Refused data becomes that of a new attempt. */
export function decidePromote(
  { record, inspect }: PromoteRefused,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  const node = existing(stream);
  const kept = node.refused.find(({ n }) => n === record);
  if (!kept) throw new Refusal('RESOURCE_NOT_FOUND', `Node ${node.uuid} has no refused data ${record}.`);
  return [startedWith(kept.payload, { promotes: record }, inspect, stream, context)];
}
