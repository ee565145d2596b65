import { Refusal } from '../../refusal';
import { nextState } from '../../states';
import type { Context, NodeCommand, Policy } from '../commands';
import type { Effect, EffectOutcome, EffectTask, WorkName } from '../effects';
import type { NodeEvent } from '../events';
import type { NodeFields } from '../fields';
import type { Node, NodeStream } from '../state';
import { works } from '../works';
import type { Work } from '../works';

type Provision = Extract<NodeCommand, { type: 'Provision' }>;
type WorkTask = Extract<EffectTask, { kind: 'work' }>;

/** A verb that starts work, once the machine and the reservation allow it (contract: node-api.md §10 step 17). */
export function startWork(
  work: Work,
  trigger: string,
  command: Provision,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent[] {
  checkNode(work, trigger, command, node, context.policy);
  if (command.unsupported !== undefined) throw new Refusal('UNSUPPORTED_EXTENSION', command.unsupported);
  if (command.problem) throw new Refusal(work.ifInvalid, `${work.failure}: ${command.problem}`);
  const { now: at, host, policy } = context;
  const { changed, keyId } = command;
  const task = taskOf(work.work, node.fields, policy);
  const withSteps = command.steps ? { ...task, steps: command.steps } : task;
  const effect: Effect = { n: stream.counters.effect + 1, attempt: null, task: withSteps };
  const target = work.target === undefined ? {} : { target: work.target };
  const came = { ...target, ...(changed ? { changed } : {}), ...(keyId === undefined ? {} : { keyId }) };
  return [{ type: 'WorkStarted', data: { at, work: work.work, state: work.running, effect, host, ...came } }];
}

function checkNode(work: Work, trigger: string, { target }: Provision, { uuid, fields }: Node, policy: Policy): void {
  if (fields.protected && work.protectedFrom.some((one) => one === trigger)) {
    throw new Refusal('NODE_PROTECTED', `Node ${uuid} is protected and the ${target} operation cannot be performed.`);
  }
  if (trigger === 'provide' && fields.retired) {
    throw new Refusal('INVALID_PARAMETER', `Node ${uuid} is retired and cannot be provided.`);
  }
  const allowed =
    work.inMaintenance === 'allowed' ||
    (work.inMaintenance === 'as the settings say' && policy.allowProvisioningInMaintenance);
  if (fields.maintenance && !allowed) {
    const text = `The ${target} operation cannot be performed on node ${uuid} in maintenance.`;
    throw new Refusal('IN_MAINTENANCE', text);
  }
}

/** The node's own word on automated cleaning goes before that of the settings (contract: config.md, automated_clean). */
const taskOf = (work: WorkName, fields: NodeFields, policy: Policy): WorkTask =>
  work === 'clean' && !(fields.automated_clean ?? policy.automatedClean)
    ? { kind: 'work', work, automated: false }
    : { kind: 'work', work };

/** `abort` of a service that has failed: the node is in use again as it is (contract: state-machine.json, abort_effects). */
export function serviceGivenUp({ uuid, fields, powerState }: Node, { now: at }: Context): NodeEvent {
  if (fields.maintenance) {
    throw new Refusal(
      'STATE_CONFLICT',
      `The failed service of node ${uuid} can not be aborted while it is in maintenance.`,
    );
  }
  return { type: 'WorkFinished', data: { at, work: 'service', state: 'active', effect: null, powerState } };
}

type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

export function workEnded(
  effect: number,
  name: WorkName,
  outcome: Ended,
  node: Node,
  { counters }: NodeStream,
  { now: at, host, policy }: Context,
): NodeEvent {
  const work = works[name];
  if (outcome.result === 'failed') {
    const state = nextState(work.running, 'fail') ?? node.provisionState;
    const error = `${work.failure}: ${outcome.reason}`;
    return { type: 'WorkFailed', data: { at, work: name, state, effect, error } };
  }
  const state = nextState(work.running, work.done) ?? node.provisionState;
  const { powerState = node.powerState } = outcome.value;
  const changed = changedBy(name, node);
  if (!work.next) return { type: 'WorkFinished', data: { at, work: name, state, effect, powerState, ...changed } };
  const next: Effect = { n: counters.effect + 1, attempt: null, task: taskOf(work.next, node.fields, policy) };
  return { type: 'WorkFinished', data: { at, work: name, state, effect, powerState, ...changed, next, host } };
}

/** What the node no longer holds once the work has ended well. */
function changedBy(name: WorkName, { fields }: Node): { readonly changed?: Partial<NodeFields> } {
  if (name === 'tear down') return { changed: withoutInstance };
  if (name !== 'unrescue' || !Object.hasOwn(fields.instance_info, RESCUE_PASSWORD)) return {};
  const { [RESCUE_PASSWORD]: _given, ...kept } = fields.instance_info;
  return { changed: { instance_info: kept } };
}

const RESCUE_PASSWORD = 'rescue_password';

/** Nothing of an instance outlives it on the node: neither who it was, nor what it was made of. */
const withoutInstance: Partial<NodeFields> = { instance_uuid: null, instance_name: null, instance_info: {} };
