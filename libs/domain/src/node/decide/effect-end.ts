import { nextState } from '../../states';
import type { ReportedPowerState } from '../../states';
import { unreachable } from '../../refusal';
import type { Context, NodeCommand } from '../commands';
import type { Effect, EffectOutcome, EffectValue, WorkName } from '../effects';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { works } from '../works';
import { decideInspected, inspectionFailed } from './inspected';

type EndEffect = Extract<NodeCommand, { type: 'EndEffect' }>;

/** An effect's outcome. What is not open any more is old news and decides nothing. */
export function decideEffectEnd(command: EndEffect, stream: NodeStream, context: Context): readonly NodeEvent[] {
  const node = stream.node;
  const effect = node?.effects.find(({ n }) => n === command.effect);
  if (!node || !effect) return [];
  const { outcome } = command;
  if (outcome.result === 'cancelled' || !stands(effect, node)) {
    return [{ type: 'EffectClosed', data: { at: context.now, effect: effect.n, outcome: 'cancelled' } }];
  }
  switch (effect.task.kind) {
    case 'inspect':
      return decideInspected(effect, outcome, command.inspect, node, stream, context);
    case 'start introspection':
      return outcome.result === 'done'
        ? [{ type: 'EffectClosed', data: { at: context.now, effect: effect.n, outcome: 'done' } }]
        : [startFailed(effect, outcome.reason, command, node, stream, context)];
    case 'abort inspection':
      return [abortEnded(effect, outcome, context)];
    case 'work':
      return [workEnded(effect.n, effect.task.work, outcome, node, context)];
    case 'power':
      return [powerEnded(effect, effect.task.cleanUp, outcome, node, context)];
    case 'set boot device':
      return [bootDeviceEnded(effect, effect.task, outcome, context)];
    default:
      return unreachable(effect.task);
  }
}

/** Whether what an effect serves still stands (architecture, rule 5). */
export function stands(effect: Effect, node: Node): boolean {
  if (effect.task.kind === 'power') return true;
  if (effect.attempt === null) return true;
  return node.inspection?.attempt === effect.attempt;
}

function startFailed(
  effect: Effect,
  reason: string,
  { inspect }: EndEffect,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent {
  return inspectionFailed(
    { effect, cause: 'start failed', error: `Failed to start inspection: ${reason}`, history: false },
    inspect,
    node,
    stream,
    context,
  );
}

/** An inspector that accepted ends the attempt at once, whatever it does next (contract: inspection.md §5). */
function abortEnded(effect: Effect, outcome: Ended, { now: at }: Context): NodeEvent {
  const attempt = effect.attempt ?? 0;
  if (outcome.result === 'failed') {
    const error = `Failed to abort inspection: ${outcome.reason}`;
    return { type: 'InspectionAbortRefused', data: { at, attempt, effect: effect.n, error } };
  }
  const error = 'Inspection was aborted by request.';
  return { type: 'InspectionAborted', data: { at, attempt, effect: effect.n, error, cleanUp: [] } };
}

type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

function workEnded(effect: number, name: WorkName, outcome: Ended, node: Node, { now: at }: Context): NodeEvent {
  const work = works[name];
  if (outcome.result === 'failed') {
    const state = nextState(work.running, 'fail') ?? node.provisionState;
    const error = `${work.failure}: ${outcome.reason}`;
    return { type: 'WorkFailed', data: { at, work: name, state, effect, error } };
  }
  const state = nextState(work.running, 'done') ?? node.provisionState;
  const powerState = powerOf(outcome.value, node);
  return { type: 'WorkFinished', data: { at, work: name, state, effect, powerState } };
}

const powerOf = (value: EffectValue, node: Node): ReportedPowerState =>
  value.powerState === undefined ? node.powerState : value.powerState;

function powerEnded({ n: effect }: Effect, cleanUp: boolean, outcome: Ended, node: Node, { now: at }: Context): NodeEvent {
  if (outcome.result === 'done') {
    const { value } = outcome;
    return { type: 'PowerChanged', data: { at, effect, powerState: powerOf(value, node), changed: value.changed ?? true } };
  }
  const problem = `Failed to change the power state: ${outcome.reason}`;
  if (!cleanUp) return { type: 'PowerChangeFailed', data: { at, effect, error: problem } };
  // The reason of an ending is only ever extended, and only while it is still what the node shows (inspection.md §3.1).
  const ending = node.provisionState === 'inspect failed' && node.lastError !== null;
  const lastError = ending ? `${node.lastError} Also: ${problem}` : node.lastError;
  return { type: 'CleanUpFailed', data: { at, effect, problem, lastError } };
}

function bootDeviceEnded(
  { n: effect }: Effect,
  task: { readonly device: string; readonly persistent: boolean },
  outcome: Ended,
  { now: at }: Context,
): NodeEvent {
  return outcome.result === 'done'
    ? { type: 'BootDeviceChanged', data: { at, effect, device: task.device, persistent: task.persistent } }
    : { type: 'BootDeviceChangeRefused', data: { at, effect, error: outcome.reason } };
}
