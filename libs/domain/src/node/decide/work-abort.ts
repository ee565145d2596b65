import { Refusal } from '../../refusal';
import { isHold, nextState } from '../../states';
import { stepName } from '../../steps';
import type { Context } from '../commands';
import type { Effect } from '../effects';
import type { NodeEvent } from '../events';
import type { Node, NodeStream, OpenWork } from '../state';
import { works } from '../works';
import { agentEnds } from './fast-track';
import { workStarted } from './work';

/**
 * `abort` of work that waits or is held. A step that must not be broken off ends first (contract: state-machine.json,
 * abort_effects; a rescue has no steps). Asked for again it is written down again, since what was accepted is in the log.
 */
export function abortWork(
  work: OpenWork,
  node: Node,
  stream: NodeStream,
  context: Context,
  reason: string | undefined,
): NodeEvent[] {
  const isUnbroken = !isHold(node.provisionState) && work.work !== 'rescue' && work.wait?.abortable === false;
  if (!isUnbroken) return workAborted(work, node, stream, context, reason);
  return [{ type: 'WorkAbortPostponed', data: { at: context.now, work: work.work, ...given(reason) } }];
}

const given = (reason: string | undefined): { readonly reason?: string } => (reason === undefined ? {} : { reason });

/** The end of a sentence that tells of an abort. */
export const reasonText = (reason: string | undefined): string => (reason === undefined ? '.' : `: ${reason}`);

/** The abort takes effect. A service leads back to the instance, a deployment that was held is torn down. */
export function workAborted(
  work: OpenWork,
  node: Node,
  { counters }: NodeStream,
  context: Context,
  reason: string | undefined,
): NodeEvent[] {
  const { now: at, host } = context;
  const { provisionState, work: open } = node;
  const state = nextState(provisionState, 'abort') ?? provisionState;
  const step = open?.steps[open.index];
  const where = step ? ` in step ${stepName(step)}` : '';
  const error = `${works[work.work].failure}: aborted by request in "${provisionState}"${where}${reasonText(reason)}`;
  const data = { at, work: work.work, state, error, ...agentEnds(node, context), ...given(reason) };
  const n = counters.effect + 1;
  if (work.work === 'service') {
    const next: Effect = { n, attempt: null, task: { kind: 'work', work: 'service', aborted: true } };
    return [{ type: 'WorkAborted', data: { ...data, next, host } }];
  }
  const aborted: NodeEvent = { type: 'WorkAborted', data };
  return provisionState === 'deploy hold' ? [aborted, workStarted(works['tear down'], node, n, context)] : [aborted];
}

/** `abort` of a service that has failed: the node is in use again as it is (contract: state-machine.json, abort_effects). */
export function serviceGivenUp(
  { uuid, fields, powerState }: Node,
  { now: at }: Context,
  reason: string | undefined,
): NodeEvent {
  if (fields.maintenance) {
    throw new Refusal(
      'STATE_CONFLICT',
      `The failed service of node ${uuid} can not be aborted while it is in maintenance.`,
    );
  }
  return {
    type: 'WorkFinished',
    data: { at, work: 'service', state: 'active', effect: null, powerState, ...given(reason) },
  };
}
