import { unreachable } from '../../refusal';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import { isHeld } from '../state';
import type { Deadline, Intent, Node, NodeStream, OpenAttempt } from '../state';
import { cleanUpAfter } from './clean-up';
import { retried, withRetry } from './retry';
import { callbackMissed } from './work-wait';

/** What the scheduler is told (architecture, rule 4). */
export type ElapseAnswer =
  | { readonly answer: 'done' | 'gone' | 'held'; readonly events: readonly NodeEvent[] }
  | { readonly answer: 'early'; readonly afterMs: number; readonly events: readonly [] };

type Elapse = Extract<NodeCommand, { type: 'Elapse' }>;

/** The aggregate decides with its own clock: at the deadline or later, never early, never twice. */
export function decideElapsed(command: Elapse, stream: NodeStream, context: Context): ElapseAnswer {
  const node = stream.node;
  const deadline = node?.deadlines.find(({ n }) => n === command.n);
  if (!node || !deadline || deadline.attempt !== command.attempt) return { answer: 'gone', events: [] };
  if (isHeld(node, deadline)) return { answer: 'held', events: [] };
  if (context.now < deadline.due) return { answer: 'early', afterMs: deadline.due - context.now, events: [] };
  return { answer: 'done', events: withRetry(passed(deadline, node, command, stream, context), stream, context) };
}

function passed(
  deadline: Deadline,
  node: Node,
  command: Elapse,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  switch (deadline.purpose) {
    case 'inspect wait':
      return [timedOut(deadline, node, command, stream, context)];
    case 'callback':
      return [callbackMissed(deadline, node, context)];
    case 'give up':
      return [gaveUp(deadline, node.intent, context)];
    case 'retry':
      return retried(deadline, node, command, stream, context);
    default:
      return unreachable(deadline.purpose);
  }
}

function timedOut(deadline: Deadline, node: Node, command: Elapse, stream: NodeStream, context: Context): NodeEvent {
  const seconds = node.inspection?.timeoutSeconds ?? 0;
  return {
    type: 'InspectionTimedOut',
    data: {
      at: context.now,
      attempt: deadline.attempt,
      deadline: { n: deadline.n, due: deadline.due },
      error: `Timeout reached while waiting for the inspection of node ${node.uuid} (attempt ${deadline.attempt}): ${withinText(deadline, seconds)}.${contactText(node, command)}`,
      cleanUp: cleanUpAfter('timed out', command.inspect, node, stream, context),
    },
  };
}

/** How long was waited; where an operator has moved the deadline, until when. */
const withinText = ({ due, lastWord }: Deadline, seconds: number): string =>
  lastWord === undefined
    ? `no result within ${seconds} seconds`
    : `no result by ${iso(due)}, to which an operator had moved its deadline`;

/** How far the ramdisk came, and what that hints at. Where it reports to an inspector, silence towards us tells nothing. */
function contactText({ inspection }: Node, { inspect }: Elapse): string {
  const contact = inspection?.contact;
  const postedAt = inspection && postedTime(inspection);
  if (postedAt !== null && postedAt >= (contact?.at ?? 0)) {
    return ` Its ramdisk posted data at ${iso(postedAt)}, which went on to the inspector.`;
  }
  if (contact) return ` The last contact of its ramdisk was a ${contact.kind} at ${iso(contact.at)}.`;
  return inspect.takesData
    ? ' Its ramdisk made no contact at all: it may not have booted, or not reach this API.'
    : ' Its ramdisk may not have booted, or not reach its inspector.';
}

/** A wait that was not entered from the start of the attempt is that of data which was posted. */
const postedTime = ({ begunAt, startedAt }: OpenAttempt): number | null => (startedAt > begunAt ? startedAt : null);

const iso = (at: number): string => new Date(at).toISOString();

/** The worker's own limit comes first; this is for the case that nobody is left to report it. */
function gaveUp(deadline: Deadline, intent: Intent | null, { now: at }: Context): NodeEvent {
  const effect = deadline.effect ?? 0;
  if (intent?.kind === 'set boot device') {
    return { type: 'BootDeviceChangeRefused', data: { at, effect, error: 'The machine did not answer in time.' } };
  }
  if (intent?.kind === 'manage') {
    return { type: 'ManagementFailed', data: { at, effect, error: 'The machine did not answer in time.' } };
  }
  const error = 'Failed to abort inspection: the inspector did not answer in time.';
  return { type: 'InspectionAbortRefused', data: { at, attempt: deadline.attempt, effect, error } };
}
