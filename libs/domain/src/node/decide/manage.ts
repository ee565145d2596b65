import { sameJson } from '../../json';
import { actRules, actWords, changedByAct, partsAfter } from '../../management';
import type { Act } from '../../management';
import { Refusal } from '../../refusal';
import { unstable } from '../../states';
import type { Context, NodeCommand } from '../commands';
import type { Effect, EffectOutcome } from '../effects';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { existing, unreserved } from './guards';

type Manage = Extract<NodeCommand, { type: 'Manage' }>;
type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

/** Contract: node-api.md §12, §13, §21, §22. Who waits for the machine's word holds the node until it comes. */
export function decideManage(command: Manage, stream: NodeStream, context: Context): readonly NodeEvent[] {
  const { act, waits, problem, unsupported, keyId } = command;
  const node = existing(stream);
  checkNode(act, node);
  const takesReservation = command.exclusive || waits;
  if (takesReservation) unreserved(node);
  if (unsupported !== undefined) throw new Refusal('UNSUPPORTED_EXTENSION', unsupported);
  if (problem !== null) throw new Refusal('INVALID_PARAMETER', problem);
  const { now: at, host, policy } = context;
  const { counters } = stream;
  const effect: Effect = { n: counters.effect + 1, attempt: null, task: { kind: 'manage', act } };
  const giveUp = waits ? { n: counters.deadline + 1, due: at + policy.peerLimitMs } : null;
  const key = keyId === undefined ? {} : { keyId };
  return [{ type: 'ManagementRequested', data: { at, effect, takesReservation, giveUp, host, ...key } }];
}

function checkNode(act: Act, { uuid, provisionState: state, fields }: Node): void {
  const { needsRest, needsPowerControl } = actRules[act.act];
  if (needsRest && unstable.has(state)) {
    const text = `The ${actWords(act)} is not possible while node ${uuid} is in state "${state}".`;
    throw new Refusal('STATE_CONFLICT', text);
  }
  if (needsPowerControl && fields.maintenance && fields.fault === 'power failure') {
    const text = `Node ${uuid} is in maintenance because its power failed. Nothing happened.`;
    throw new Refusal('UNAVAILABLE', text);
  }
}

export function manageEnded(
  effect: number,
  act: Act,
  outcome: Ended,
  { managed }: Node,
  { now: at }: Context,
): NodeEvent {
  if (outcome.result === 'failed') {
    return { type: 'ManagementFailed', data: { at, effect, error: `The ${actWords(act)} failed: ${outcome.reason}` } };
  }
  const { answer } = outcome.value;
  const told = answer === undefined ? {} : { answer };
  return { type: 'ManagementDone', data: { at, effect, changed: changedByAct(act, managed), ...told } };
}

/** What work brought to light beside its end; nothing where all of it was known. */
export function partsTold(outcome: Ended, { parts: known }: Node, { now: at }: Context): NodeEvent[] {
  const parts = outcome.result === 'done' ? outcome.value.parts : undefined;
  if (!parts || sameJson(partsAfter(known, parts, at), known)) return [];
  return [{ type: 'PartsTold', data: { at, parts } }];
}

/** What a step made of the machine's RAID; nothing where it was so before. */
export function raidTold(outcome: Ended, { managed }: Node, { now: at }: Context): NodeEvent[] {
  const raidConfig = outcome.result === 'done' ? outcome.value.raidConfig : undefined;
  if (!raidConfig || sameJson(raidConfig, managed.raidConfig ?? {})) return [];
  return [{ type: 'ManagementDone', data: { at, effect: null, changed: { raidConfig } } }];
}

/** Nothing is asked of the machine: cleaning makes it so (contract: node-api.md §12). */
export function decideTargetRaid(
  { config }: Extract<NodeCommand, { type: 'SetTargetRaid' }>,
  stream: NodeStream,
  { now: at }: Context,
): readonly NodeEvent[] {
  const node = existing(stream);
  unreserved(node);
  if (sameJson(config, node.managed.targetRaidConfig)) return [];
  return [{ type: 'ManagementDone', data: { at, effect: null, changed: { targetRaidConfig: config } } }];
}
