import { nextState } from '../../states';
import type { ProvisionState } from '../../states';
import { stepName } from '../../steps';
import type { Context } from '../commands';
import type { Effect, MachineSeen, WorkName } from '../effects';
import type { NodeEvent } from '../events';
import type { Deadline, Node, NodeStream, OpenWork } from '../state';
import { blamed, works } from '../works';
import { agentEnds } from './fast-track';
import { pieceOf, stepIn } from './work';

/** A state that waits for a callback is entered: its deadline counts from now (contract: state-machine.json, timeouts). */
export function waitFor(
  from: { readonly effect: number | null; readonly abortable: boolean; readonly machine?: MachineSeen },
  state: ProvisionState,
  work: WorkName,
  { counters }: NodeStream,
  { now: at, policy }: Context,
): NodeEvent {
  const timeoutSeconds = policy.waitTimeouts ? (policy.callbackTimeoutSeconds[state] ?? 0) : 0;
  const due = at + Math.ceil(timeoutSeconds * 1000);
  const deadline = timeoutSeconds > 0 ? { n: counters.deadline + 1, due } : null;
  return { type: 'WorkWaiting', data: { at, work, state, deadline, timeoutSeconds, ...from } };
}

/** The ramdisk has called back: the next step, or what is left to bring the work to its end. */
export function resumeWork(
  { work: name, steps, index, ramdisk }: OpenWork,
  state: ProvisionState,
  agent: Extract<NodeEvent, { type: 'WorkResumed' }>['data']['agent'],
  { counters }: NodeStream,
  { now: at, host }: Context,
): NodeEvent {
  const without = ramdisk ? {} : { ramdisk };
  const task = pieceOf({ kind: 'work', work: name, ...without }, { ...stepIn(steps, index + 1), resumed: true });
  const effect: Effect = { n: counters.effect + 1, attempt: null, task };
  const running = nextState(state, 'resume') ?? works[name].running;
  return { type: 'WorkResumed', data: { at, work: name, state: running, effect, host, agent } };
}

/**
 * `unhold`: on to the state that waits, and from there when the ramdisk calls back. Where none has ever asked for the node,
 * or the work does without one, nobody would: it goes on at once.
 */
export function endHold(work: OpenWork, node: Node, stream: NodeStream, context: Context): NodeEvent[] {
  const state = nextState(node.provisionState, 'unhold') ?? node.provisionState;
  const waits = waitFor({ effect: null, abortable: true }, state, work.work, stream, context);
  const isCalledBack = node.agentTokenDigest !== null && work.ramdisk;
  return isCalledBack ? [waits] : [waits, resumeWork(work, state, null, stream, context)];
}

/** How long was waited; where an operator has moved the deadline, until when. */
const withinText = ({ due, lastWord }: Deadline, seconds: number): string =>
  lastWord === undefined
    ? `it did not within ${seconds} seconds`
    : `it had not by ${new Date(due).toISOString()}, to which an operator had moved its deadline`;

/** Nobody called back in time. */
export function callbackMissed(deadline: Deadline, node: Node, context: Context): NodeEvent {
  const { provisionState, work, uuid } = node;
  const name = work?.work ?? 'clean';
  const state = nextState(provisionState, 'fail') ?? provisionState;
  const step = work?.steps[work.index];
  const at = step ? `, in step ${stepName(step)}` : '';
  const error = `${works[name].failure}: timeout reached while node ${uuid} waited in "${provisionState}" for its ramdisk to call back${at}: ${withinText(deadline, work?.wait?.seconds ?? 0)}.`;
  const data = {
    at: context.now,
    work: name,
    state,
    deadline: { n: deadline.n, due: deadline.due },
    error,
    ...blamed(name),
  };
  return { type: 'WorkTimedOut', data: { ...data, ...agentEnds(node, context) } };
}
