import { actWords } from '../../management';
import { isWork, nextState } from '../../states';
import type { Context, NodeCommand } from '../commands';
import type { Effect } from '../effects';
import type { Interruption, NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { cleanUpAfter } from './clean-up';
import { stands } from './effect-end';

type Interrupt = Extract<NodeCommand, { type: 'Interrupt' }>;

/**
 * What becomes of a node whose conductor went away (contract: inspection.md §9.3, §9.4). Which nodes are stuck is read from
 * the state table and from the open effects: work fails; who waits for a callback, a peer or an operator is left alone,
 * and so is work whose effect is open and not named as lost, since it is tried again.
 */
export function decideInterrupt(command: Interrupt, stream: NodeStream, context: Context): readonly NodeEvent[] {
  const { node } = stream;
  if (!node) return [];
  const held = node.effects.find(({ n }) => n === node.reservation?.effect);
  if (isWork(node.provisionState)) {
    if (held && stands(held, node) && !isLost(held, command)) return [];
    return [workLost(held ?? null, command, node, stream, context)];
  }
  if (!held || !isLost(held, command)) return [];
  return requestLost(held, command.cause, node, context);
}

const isLost = ({ n }: Effect, { lost }: Interrupt): boolean =>
  lost === 'all' || (lost !== 'none' && lost.effect === n);

function workLost(
  held: Effect | null,
  command: Interrupt,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent {
  const { cause: interrupted, inspect } = command;
  const { now: at } = context;
  const effect = held?.n ?? null;
  const error = `The ${node.provisionState} state ${notResumed(interrupted, context)}`;
  if (!node.inspection) {
    const state = nextState(node.provisionState, 'fail') ?? node.provisionState;
    return { type: 'WorkInterrupted', data: { at, state, effect, error, interrupted } };
  }
  const { attempt } = node.inspection;
  const cleanUp = cleanUpAfter('failed', inspect, node, stream, context);
  return { type: 'InspectionFailed', data: { at, attempt, effect, error, history: true, cleanUp, interrupted } };
}

/**
 * Requests that hold a node outside its work: a pending power state is cleared at a start (contract: inspection.md §9.3
 * step 1), and so is a boot device. A node that waits is left alone: what it asks of a peer is asked again.
 */
function requestLost(held: Effect, cause: Interruption, node: Node, context: Context): readonly NodeEvent[] {
  if (nextState(node.provisionState, 'fail')) return [];
  const { now: at } = context;
  const { n: effect, task } = held;
  if (task.kind === 'power') {
    const error = `The change to "${task.target}" ${notResumed(cause, context)}`;
    return [{ type: 'PowerChangeFailed', data: { at, effect, error } }];
  }
  if (task.kind === 'set boot device') {
    const error = `The change of the boot device ${notResumed(cause, context)}`;
    return [{ type: 'BootDeviceChangeRefused', data: { at, effect, error } }];
  }
  if (task.kind === 'manage') {
    const error = `The ${actWords(task.act)} ${notResumed(cause, context)}`;
    return [{ type: 'ManagementFailed', data: { at, effect, error } }];
  }
  return [];
}

/** Never the word "aborted": clients would take it for a request of their own (contract: inspection.md §14). */
const notResumed = (cause: Interruption, { host }: Context): string =>
  cause === 'restart'
    ? `can't be resumed by conductor ${host} after a restart: its work was interrupted.`
    : `can't be resumed by conductor ${host} after a conductor take over: its work was interrupted.`;
