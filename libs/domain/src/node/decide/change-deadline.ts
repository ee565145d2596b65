import { Refusal } from '../../refusal';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { Deadline, Node, NodeStream } from '../state';
import { WAIT_TIMEOUT_SECONDS_MAX } from '../wait-timeout';
import { existing } from './guards';

type ChangeDeadline = Extract<NodeCommand, { type: 'ChangeDeadline' }>;

/**
 * An operator extends, pauses or resumes what the node waits under. Like maintenance it waits for nobody and ends nothing;
 * against the timeout the first append wins. What is so already decides nothing.
 */
export function decideDeadlineChange(
  { change, by, reason }: ChangeDeadline,
  stream: NodeStream,
  { now: at }: Context,
): readonly NodeEvent[] {
  const node = existing(stream);
  const deadline = node.deadlines.find(({ purpose }) => purpose !== 'give up');
  if (!deadline) throw new Refusal('STATE_CONFLICT', `Node ${node.uuid} waits under no deadline${now(node)}.`);
  const { n, due } = deadline;
  const paused = deadline.pausedAt ?? null;
  switch (change.kind) {
    case 'pause':
      return paused === null ? [{ type: 'DeadlinePaused', data: { at, deadline: { n, due }, by, reason } }] : [];
    case 'resume': {
      if (paused === null) return [];
      const resumed = { n, due: due + Math.max(0, at - paused) };
      return [{ type: 'DeadlineResumed', data: { at, deadline: resumed, by, reason } }];
    }
    default: {
      const later = { n, due: change.kind === 'extend' ? extended(deadline, change.seconds, at) : change.due };
      checkLater(deadline, later.due, at, node);
      return [{ type: 'DeadlineExtended', data: { at, deadline: later, before: due, by, reason } }];
    }
  }
}

const now = ({ provisionState, work, inspection }: Node): string =>
  work?.wait || (inspection && provisionState === 'inspect wait')
    ? ': its timeout is 0'
    : ` in state "${provisionState}"`;

/** From its due time; one that is overdue, because something holds it, gets the whole extension from now on. */
const extended = ({ due, pausedAt }: Deadline, seconds: number, at: number): number =>
  Math.max(due, pausedAt ?? at) + Math.ceil(seconds * 1000);

function checkLater({ due, pausedAt = null }: Deadline, later: number, at: number, { uuid }: Node): void {
  const refused = (text: string) => new Refusal('INVALID_PARAMETER', text);
  if (!Number.isFinite(later)) throw refused('The new time of the deadline is no time.');
  if (later <= due)
    throw refused(`An extension leads to a later time than ${iso(due)}, which node ${uuid} has already.`);
  if (pausedAt === null && later <= at) throw refused(`The deadline of node ${uuid} can not be moved into the past.`);
  if (later > at + WAIT_TIMEOUT_SECONDS_MAX * 1000) {
    throw refused(`A deadline can not be more than ${WAIT_TIMEOUT_SECONDS_MAX} seconds away.`);
  }
}

const iso = (at: number): string => new Date(at).toISOString();
