import { nextState } from '../../states';
import { stepName } from '../../steps';
import type { Context, NodeCommand } from '../commands';
import type { Effect, EffectOutcome, EffectValue, WorkName } from '../effects';
import type { NodeEvent } from '../events';
import type { NodeFields } from '../fields';
import { isLeased } from '../lessee';
import type { Node, NodeStream } from '../state';
import { blamed, works } from '../works';
import { agentEnds } from './fast-track';
import { firstPiece, pieceOf, recorded, stepIn } from './work';
import type { WorkTask } from './work';
import { waitFor } from './work-wait';

type EndEffect = Extract<NodeCommand, { type: 'EndEffect' }>;
type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

/** The outcome of a piece of work: its next step, a wait, a hold, or its end. */
export function workEnded(
  effect: number,
  task: WorkTask,
  outcome: Ended,
  node: Node,
  stream: NodeStream,
  context: Context,
  nextSteps: EndEffect['nextSteps'],
): NodeEvent {
  if (outcome.result === 'failed') return workFailed(effect, task, outcome, node, context);
  const { value } = outcome;
  if (value.waits || value.holds) return paused(effect, task, value, node, stream, context);
  const { now: at, host } = context;
  const index = node.work?.index ?? 0;
  const following = stepIn(node.work?.steps, index + 1);
  if (!following.step || task.aborted) return workFinished(effect, task, value, node, stream, context, nextSteps);
  const next: Effect = { n: stream.counters.effect + 1, attempt: null, task: pieceOf(task, following) };
  const data = { at, work: task.work, step: index, effect, next, host, ...seen(value) };
  return { type: 'WorkStepDone', data };
}

const seen = ({ machine }: Pick<EffectValue, 'machine'>): Pick<EffectValue, 'machine'> => (machine ? { machine } : {});

/** Only states that can wait or be held do so; that an interface asks for it elsewhere is its failure. */
function paused(
  effect: number,
  task: WorkTask,
  value: EffectValue,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent {
  const { now: at } = context;
  const { work } = task;
  const state = nextState(node.provisionState, value.holds ? 'hold' : 'wait');
  if (!state || task.aborted) {
    const reason = `nothing can be waited for in the state ${node.provisionState}`;
    return workFailed(effect, task, { result: 'failed', reason, machine: value.machine }, node, context);
  }
  if (value.holds) return { type: 'WorkHeld', data: { at, work, state, effect, ...seen(value) } };
  return waitFor({ effect, abortable: value.waits?.abortable ?? true, ...seen(value) }, state, work, stream, context);
}

function workFailed(
  effect: number,
  { work: name, step, aborted }: WorkTask,
  { reason, machine }: Extract<Ended, { result: 'failed' }>,
  node: Node,
  context: Context,
): NodeEvent {
  const work = works[name];
  const state = aborted ? node.provisionState : (nextState(work.running, 'fail') ?? node.provisionState);
  const what = aborted ? 'what its abort left to be done failed: ' : step ? `step ${stepName(step)} failed: ` : '';
  const error = `${work.failure}: ${what}${reason}`;
  const data = { at: context.now, work: name, state, effect, error, ...seen({ machine }), ...blamed(name) };
  return { type: 'WorkFailed', data: { ...data, ...agentEnds(node, context) } };
}

function workFinished(
  effect: number,
  { work: name, aborted }: WorkTask,
  value: EffectValue,
  node: Node,
  { counters }: NodeStream,
  context: Context,
  nextSteps: EndEffect['nextSteps'],
): NodeEvent {
  const { now: at, host, policy } = context;
  const work = works[name];
  const state =
    (aborted ? nextState(node.provisionState, 'abort') : nextState(work.running, work.done)) ?? node.provisionState;
  const { machine, powerState = machine ? machine.powerState : node.powerState } = value;
  const left = name === 'verify' ? {} : agentEnds(node, context);
  const data = { at, work: name, state, effect, powerState, ...changedBy(name, node), ...seen(value), ...left };
  const flow = node.work?.steps.length && !aborted ? recorded(policy) : {};
  if (!work.next) return { type: 'WorkFinished', data: { ...data, ...flow } };
  const { task, ...taken } = firstPiece(work.next, node.fields, nextSteps, policy);
  const next: Effect = { n: counters.effect + 1, attempt: null, task };
  return { type: 'WorkFinished', data: { ...data, next, ...taken, host } };
}

/** What the node no longer holds once the work has ended well. */
function changedBy(name: WorkName, node: Node): { readonly changed?: Partial<NodeFields> } {
  const { fields } = node;
  if (name === 'tear down') return { changed: { ...withoutInstance, ...(isLeased(node) ? { lessee: null } : {}) } };
  if (name !== 'unrescue' || !Object.hasOwn(fields.instance_info, RESCUE_PASSWORD)) return {};
  const { [RESCUE_PASSWORD]: _given, ...kept } = fields.instance_info;
  return { changed: { instance_info: kept } };
}

const RESCUE_PASSWORD = 'rescue_password';

/** Nothing of an instance outlives it on the node: neither who it was, nor what it was made of. */
const withoutInstance: Partial<NodeFields> = { instance_uuid: null, instance_name: null, instance_info: {} };
