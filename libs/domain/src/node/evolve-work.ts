import { unreachable } from '../refusal';
import type { Fault } from '../states';
import type { Effect } from './effects';
import { enter } from './enter';
import type { At, DeadlineSpec, ToldAgent } from './event-parts';
import { agentForgotten, dateTime, seenMachine } from './evolve-machine';
import type { JsonObject, NodeFields } from './fields';
import { leasedInfo, unleasedInfo } from './lessee';
import { closed, opened } from './open-effects';
import type { Node, OpenWork } from './state';
import type { WorkEvent } from './work-events';

/** Work that begins; what an abort left to be done is none. */
const begun = (
  { task }: Effect,
  { steps = [], ramdisk = true }: Partial<Pick<OpenWork, 'steps' | 'ramdisk'>> = {},
): OpenWork | null =>
  task.kind !== 'work' || task.aborted
    ? null
    : { work: task.work, steps, index: 0, ramdisk, wait: null, endsAfterStep: false };

/** Nothing is waited for any more: the wait's deadline goes with it. */
const withoutWait = (node: Node): Node => ({
  ...node,
  deadlines: node.deadlines.filter(({ purpose }) => purpose !== 'callback'),
});

const atStep = (node: Node, changes: Partial<OpenWork>): Pick<Node, 'work'> => ({
  work: node.work && { ...node.work, ...changes },
});

const reasonOf = ({ reason }: { readonly reason?: string }): Pick<OpenWork, 'abortReason'> =>
  reason === undefined ? {} : { abortReason: reason };

/** More to do for who has the node now. */
const heldFor = (node: Node, effect: Effect | undefined, host: string | undefined): Node =>
  effect && host !== undefined ? { ...opened(node, effect), reservation: { host, effect: effect.n } } : node;

const forgotten = (node: Node, forgetsAgent: true | undefined): Node => (forgetsAgent ? agentForgotten(node) : node);

/** Maintenance until somebody has looked; what was said of one that was set before stays. */
const faulty = (node: Node, fault: Fault | undefined, error: string): Node =>
  fault === undefined
    ? node
    : {
        ...node,
        fields: {
          ...node.fields,
          maintenance: true,
          maintenance_reason: node.fields.maintenance_reason ?? error,
          fault,
        },
      };

/** Folds what happens to lifecycle work into its node. */
export function evolveWork(node: Node, event: WorkEvent): Node {
  switch (event.type) {
    case 'WorkStarted': {
      const { at, work, state, effect, host, target, changed = {}, keyId, steps, ramdisk } = event.data;
      const entered = withoutWait(enter(node, state, at));
      return {
        ...opened(entered, effect),
        targetProvisionState: target ?? entered.targetProvisionState,
        lastError: null,
        reservation: { host, effect: effect.n },
        work: begun(effect, { steps, ramdisk }),
        fields: { ...node.fields, ...changed },
        keyId: keyId ?? node.keyId,
        driverInternalInfo: work === 'deploy' ? deployed(node, changed) : node.driverInternalInfo,
      };
    }
    case 'WorkStepDone': {
      const { at, step, effect, next, host, machine } = event.data;
      const seen = closed(seenMachine(node, at, machine), effect);
      return { ...heldFor(seen, next, host), ...atStep(node, { index: step + 1 }) };
    }
    case 'WorkWaiting': {
      const { at, state, effect, deadline, timeoutSeconds: seconds, abortable, machine } = event.data;
      const waiting = armed(closed(enter(seenMachine(node, at, machine), state, at), effect), deadline);
      return { ...waiting, ...atStep(node, { wait: { seconds, abortable } }) };
    }
    case 'WorkHeld': {
      const { at, state, effect, machine } = event.data;
      return closed(enter(seenMachine(node, at, machine), state, at), effect);
    }
    case 'WorkResumed':
      return resumed(node, event.data);
    case 'WorkAbortPostponed':
      return { ...node, ...atStep(node, { endsAfterStep: true, ...reasonOf(event.data) }) };
    case 'WorkAborted': {
      const { at, state, error, next, host, forgetsAgent } = event.data;
      const ended = forgotten({ ...withoutWait(enter(node, state, at)), work: null, lastError: error }, forgetsAgent);
      return heldFor(ended, next, host);
    }
    case 'WorkTimedOut': {
      const { at, state, error, forgetsAgent, fault } = event.data;
      const ended = { ...withoutWait(enter(node, state, at)), work: null, lastError: error };
      return faulty(forgotten(ended, forgetsAgent), fault, error);
    }
    case 'WorkFinished': {
      const { at, state, effect, powerState, changed = {}, next, steps, host, machine, forgetsAgent } = event.data;
      const entered = closed(enter(seenMachine(node, at, machine), state, at), effect);
      const ended = {
        ...entered,
        powerState,
        driverInternalInfo: withLessee(entered, changed),
        fields: { ...node.fields, ...changed },
        work: next ? begun(next, { steps }) : null,
      };
      return heldFor(forgotten(ended, forgetsAgent), next, host);
    }
    case 'WorkFailed': {
      const { at, state, effect, error, machine, forgetsAgent, fault } = event.data;
      const ended = closed(enter(seenMachine(node, at, machine), state, at), effect);
      return faulty(forgotten({ ...ended, work: null, lastError: error }, forgetsAgent), fault, error);
    }
    case 'WorkInterrupted': {
      const { at, state, effect, error } = event.data;
      const ended = closed(enter(node, state, at), effect);
      return { ...ended, work: null, reservation: null, lastError: error };
    }
    default:
      return unreachable(event);
  }
}

const withLessee = ({ driverInternalInfo }: Node, { lessee }: Partial<NodeFields>): JsonObject =>
  lessee === undefined ? driverInternalInfo : unleasedInfo(driverInternalInfo);

const deployed = ({ driverInternalInfo }: Node, { lessee }: Partial<NodeFields>): JsonObject => ({
  ...driverInternalInfo,
  ...(lessee === undefined ? {} : leasedInfo({})),
  deploy_steps: null,
});

/** Deadlines of callbacks belong to no inspection; their numbers tell them apart. */
const armed = (node: Node, deadline: DeadlineSpec | null): Node =>
  deadline
    ? { ...node, deadlines: [...node.deadlines, { ...deadline, attempt: 0, purpose: 'callback', effect: null }] }
    : node;

function resumed(node: Node, data: Extract<WorkEvent, { type: 'WorkResumed' }>['data']): Node {
  const { at, state, effect, host, agent } = data;
  const goesOn: Node = {
    ...heldFor(withoutWait(enter(node, state, at)), effect, host),
    ...atStep(node, { index: (node.work?.index ?? 0) + 1, wait: null }),
    lastError: null,
  };
  return agent ? { ...goesOn, driverInternalInfo: told(node, agent, at) } : goesOn;
}

/** What is kept of an agent that gave a sign of life. */
export const told = (
  node: Node,
  { url, version, status, statusMessage, verifyCa }: ToldAgent,
  at: At,
): Node['driverInternalInfo'] => ({
  ...node.driverInternalInfo,
  agent_url: url,
  agent_version: version,
  agent_last_heartbeat: dateTime(at),
  ...(status === undefined ? {} : { agent_status: status }),
  ...(statusMessage === undefined ? {} : { agent_status_message: statusMessage }),
  ...(verifyCa === undefined ? {} : { agent_verify_ca: verifyCa }),
});
