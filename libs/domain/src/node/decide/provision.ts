import { Refusal } from '../../refusal';
import { nextState, verbToTrigger } from '../../states';
import type { Trigger } from '../../states';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { checkOwnInspection } from '../retry';
import { inspectWaitTimeoutOf } from '../wait-timeout';
import { workFor } from '../works';
import { existing, unreserved } from './guards';
import { startWork } from './work';
import { abortWork, serviceGivenUp } from './work-abort';
import { endHold } from './work-wait';

type Provision = Extract<NodeCommand, { type: 'Provision' }>;

/** Verbs of the API: the machine decides whether, the node's reservation when (contract: node-api.md §10, inspection.md §2). */
export function decideProvision(command: Provision, stream: NodeStream, context: Context): readonly NodeEvent[] {
  const node = existing(stream);
  const trigger = verbToTrigger(command.target);
  const state = nextState(node.provisionState, trigger as Trigger);
  if (!state) {
    unreserved(node, false);
    throw notPossible(node, command.target);
  }
  unreserved(node);
  const work = workFor(node.provisionState, trigger);
  if (work) return startWork(work, trigger, command, node, stream, context);
  if (trigger === 'inspect') return askedInspection(command, node, stream, context);
  if (trigger === 'abort' && node.provisionState === 'inspect wait')
    return requestAbort(command, node, stream, context);
  if (trigger === 'abort' && node.provisionState === 'service failed')
    return [serviceGivenUp(node, context, command.reason)];
  if (trigger === 'abort' && node.work) return abortWork(node.work, node, stream, context, command.reason);
  if (trigger === 'unhold' && node.work) return endHold(node.work, node, stream, context);
  if (trigger === 'manage') return [{ type: 'NodeManaged', data: { at: context.now, from: node.provisionState } }];
  throw new Refusal(
    'UNSUPPORTED_EXTENSION',
    `Driver ${node.fields.driver} does not support ${command.target} in state "${node.provisionState}" (switched off or not offered).`,
  );
}

const notPossible = (node: Node, target: string): Refusal =>
  new Refusal(
    'INVALID_STATE',
    `The requested action "${target}" can not be performed on node "${node.uuid}" while it is in state "${node.provisionState}".`,
  );

function askedInspection(command: Provision, node: Node, stream: NodeStream, context: Context): NodeEvent[] {
  checkOwnInspection(node.fields.driver_info);
  if (command.problem) throw new Refusal('INVALID_PARAMETER', command.problem);
  return [startInspection(command, node, stream, context)];
}

type Started = Extract<NodeEvent, { type: 'InspectionStarted' }>;

/** A new attempt: asked for, or a retry. */
export function startInspection(
  { managedBoot, retry }: { readonly managedBoot?: string; readonly retry?: Started['data']['retry'] },
  node: Node,
  stream: NodeStream,
  context: Context,
): Started {
  const attempt = stream.counters.attempt + 1;
  const timeout = inspectWaitTimeoutOf(node.fields, context.policy);
  return {
    type: 'InspectionStarted',
    data: {
      at: context.now,
      attempt,
      interface: node.fields.inspect_interface,
      timeoutSeconds: timeout.seconds,
      timeoutFrom: timeout.from,
      effect: { n: stream.counters.effect + 1, attempt, task: { kind: 'inspect' } },
      host: context.host,
      ...(managedBoot === undefined ? {} : { managedBoot }),
      ...(retry === undefined ? {} : { retry }),
    },
  };
}

/** The intent: the inspector's word decides (architecture, "A request that needs a peer's word"). */
function requestAbort(command: Provision, node: Node, stream: NodeStream, context: Context): NodeEvent[] {
  if (!command.inspect.abort) {
    throw new Refusal(
      'UNSUPPORTED_EXTENSION',
      `Driver ${command.inspect.name} does not support abort (switched off or not offered).`,
    );
  }
  const attempt = node.inspection?.attempt ?? stream.counters.attempt;
  const { now, host, policy } = context;
  return [
    {
      type: 'InspectionAbortRequested',
      data: {
        at: now,
        attempt,
        effect: { n: stream.counters.effect + 1, attempt, task: { kind: 'abort inspection' } },
        giveUp: { n: stream.counters.deadline + 1, due: now + policy.peerLimitMs },
        host,
        ...(command.reason === undefined ? {} : { reason: command.reason }),
      },
    },
  ];
}
