import type { ReportedPowerState } from '../../states';
import { unreachable } from '../../refusal';
import type { Context, NodeCommand } from '../commands';
import type { Effect, EffectKind, EffectOutcome, EffectValue } from '../effects';
import type { At, NodeEvent } from '../events';
import type { Intent, Node, NodeStream } from '../state';
import { afterCleanUp, cleanUpAfter, nextCleanUp } from './clean-up';
import { agentKept } from './fast-track';
import { decideDiscovered } from './discover';
import { decideForwarded } from './forward';
import { decideInspected, inspectionFailed } from './inspected';
import { reasonText } from './work-abort';
import { manageEnded, partsTold, raidTold } from './manage';
import { decideProcessed } from './resume';
import { workEnded } from './work-end';

type EndEffect = Extract<NodeCommand, { type: 'EndEffect' }>;

/** An effect's outcome. What is not open any more is old news and decides nothing. */
export function decideEffectEnd(command: EndEffect, stream: NodeStream, context: Context): readonly NodeEvent[] {
  const node = stream.node;
  const effect = node?.effects.find(({ n }) => n === command.effect);
  if (!node || !effect) return [];
  const gaveWay = command.outcome.result === 'cancelled' && keepsAbortWaiting(effect, node);
  if (gaveWay || !stands(effect, node)) {
    return [{ type: 'EffectClosed', data: { at: context.now, effect: effect.n, outcome: 'cancelled' } }];
  }
  const outcome = endedOf(command.outcome);
  switch (effect.task.kind) {
    case 'inspect':
      return decideInspected(effect, outcome, command.inspect, node, stream, context);
    case 'start introspection':
      return outcome.result === 'done'
        ? [{ type: 'EffectClosed', data: { at: context.now, effect: effect.n, outcome: 'done' } }]
        : [startFailed(effect, outcome.reason, command, node, stream, context)];
    case 'abort inspection':
      return [abortEnded(effect, outcome, command, node, stream, context)];
    case 'process inspection data':
      return effect.attempt === null
        ? decideDiscovered(effect, outcome, node, context)
        : decideProcessed(effect, outcome, command.inspect, node, stream, context);
    case 'forward inspection data':
      return [decideForwarded(effect, outcome, command.inspect, node, stream, context)];
    case 'work':
      return [
        ...partsTold(outcome, node, context),
        ...raidTold(outcome, node, context),
        workEnded(effect.n, effect.task, outcome, node, stream, context, command.nextSteps),
      ];
    case 'power':
    case 'clean up boot':
      return node.intent?.kind === 'clean up' && node.intent.effect === effect.n
        ? cleanedUp(effect, outcome, node.intent, command, node, stream, context)
        : [besidesEnded(effect, outcome, node, stream, context)];
    case 'tell ending':
      return [besidesEnded(effect, outcome, node, stream, context)];
    case 'set boot device':
      return [bootDeviceEnded(effect, effect.task, outcome, context)];
    case 'manage':
      return [manageEnded(effect.n, effect.task.act, outcome, node, context)];
    default:
      return unreachable(effect.task);
  }
}

/** Work that was dropped although it stands has failed: closing it silently would leave the node where it is for ever. */
const endedOf = (outcome: EffectOutcome): Ended =>
  outcome.result === 'cancelled' ? { result: 'failed', reason: 'the work was cancelled' } : outcome;

/** What an ending leaves to be done stands for as long as the node exists. */
const outlivesAttempt: ReadonlySet<EffectKind> = new Set(['power', 'clean up boot', 'tell ending']);

/** What the inspector of an attempt is told while the node waits. */
const toldInspector: ReadonlySet<EffectKind> = new Set(['start introspection', 'forward inspection data']);

/** Whether an abort that is asked for has to wait for this effect to end. */
export const mayKeepAbortWaiting = ({ task }: Pick<Effect, 'task'>): boolean => toldInspector.has(task.kind);

export const keepsAbortWaiting = (effect: Effect, { intent }: Node): boolean =>
  intent?.kind === 'abort' && mayKeepAbortWaiting(effect);

/** Whether what an effect serves still stands (architecture, rule 5). */
export function stands(effect: Effect, node: Node): boolean {
  if (effect.attempt === null || outlivesAttempt.has(effect.task.kind)) return true;
  // The inspector has delivered: that it was told to start, or given data, needs no more proof.
  if (node.intent?.kind === 'clean up' && toldInspector.has(effect.task.kind)) return false;
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
function abortEnded(
  effect: Effect,
  outcome: Ended,
  { inspect }: EndEffect,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent {
  const at = context.now;
  const attempt = effect.attempt ?? 0;
  if (outcome.result === 'failed') {
    const error = `Failed to abort inspection: ${outcome.reason}`;
    return { type: 'InspectionAbortRefused', data: { at, attempt, effect: effect.n, error } };
  }
  const reason = node.intent?.kind === 'abort' ? node.intent.reason : undefined;
  const error = `Inspection was aborted by request${reasonText(reason)}`;
  const cleanUp = cleanUpAfter('aborted', inspect, node, stream, context);
  const data = { at, attempt, effect: effect.n, error, cleanUp, ...(reason === undefined ? {} : { reason }) };
  return { type: 'InspectionAborted', data };
}

type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

const powerOf = (value: EffectValue, node: Node): ReportedPowerState =>
  value.powerState === undefined ? node.powerState : value.powerState;

/**
 * The clean-up of an inspection that found its data comes before `done` (contract: inspection.md §4.4): a step that fails does
 * not keep the next one from being done, and all that failed is told together.
 */
function cleanedUp(
  effect: Effect,
  outcome: Ended,
  { attempt, inventory, problems: before }: Extract<Intent, { kind: 'clean up' }>,
  { inspect }: EndEffect,
  node: Node,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  const { now: at, host } = context;
  const problems = [...before, ...(outcome.result === 'failed' ? [problemOf(effect, outcome.reason)] : [])];
  const next = nextCleanUp(effect, inspect, node, stream, context);
  if (next) {
    const told = problems.length > 0 ? { problems } : {};
    return [
      { type: 'InspectionCleanUpStarted', data: { at, attempt, effect: effect.n, next, inventory, host, ...told } },
    ];
  }
  const isPowered = effect.task.kind === 'power' && outcome.result === 'done';
  const closes = isPowered ? null : effect.n;
  const error = `Inspection clean up failed: ${problems.join('; ')}`;
  const cleanUp = afterCleanUp(problems.length > 0 ? 'fail' : 'done', inspect, node, stream);
  return [
    ...(isPowered ? [powerChanged(effect.n, outcome.value, node, at)] : []),
    problems.length > 0
      ? { type: 'InspectionFailed', data: { at, attempt, effect: closes, error, history: true, cleanUp } }
      : {
          type: 'InspectionFinished',
          data: { at, attempt, effect: closes, inventory, cleanUp, ...agentKept(node, context) },
        },
  ];
}

function problemOf({ task }: Effect, reason: string): string {
  switch (task.kind) {
    case 'power':
      return `Failed to change the power state: ${reason}`;
    case 'tell ending':
      return `The inspect interface ${task.interface} failed at being told of the ending: ${reason}`;
    default:
      return `Failed to clean up the boot of the ramdisk: ${reason}`;
  }
}

const powerChanged = (effect: number, value: EffectValue, node: Node, at: At): NodeEvent => ({
  type: 'PowerChanged',
  data: { at, effect, powerState: powerOf(value, node), changed: value.changed ?? true },
});

/** Work that goes on beside the node's states: a power change, or what an ending left to be cleaned up. */
function besidesEnded(
  ended: Effect,
  outcome: Ended,
  node: Node,
  { counters }: NodeStream,
  { now: at }: Context,
): NodeEvent {
  const { n: effect, attempt, task } = ended;
  if (outcome.result === 'done') {
    return task.kind === 'power'
      ? powerChanged(effect, outcome.value, node, at)
      : { type: 'EffectClosed', data: { at, effect, outcome: 'done' } };
  }
  const problem = problemOf(ended, outcome.reason);
  if (task.kind === 'power' && !task.cleanUp) {
    return { type: 'PowerChangeFailed', data: { at, effect, error: problem } };
  }
  // The reason of an ending is only ever extended, and only while it is still what the node shows (inspection.md §3.1).
  const ending = node.provisionState === 'inspect failed' && attempt === counters.attempt && node.lastError !== null;
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
