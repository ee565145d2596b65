import type { ShownDeadline } from '../bare-metal';
import { plainText } from '../screen';

/** The deadline in sentences, a line each. */
export function deadlineLines(node: string, deadline: ShownDeadline | null): string[] {
  if (deadline === null) return [`${plainText(node)} waits under no deadline.`];
  const { last_change: change } = deadline;
  const by = change && (change.user ?? change.request_id);
  return [
    `${plainText(node)}: ${retryText(deadline)}${timeText(deadline)}.`,
    ...(change
      ? [
          `${change.change} at ${change.at}${by ? ` by ${plainText(by)}` : ''}${change.reason ? `: ${plainText(change.reason)}` : ''}`,
        ]
      : []),
  ];
}

/** What is waited for, where it is no ramdisk. */
const retryText = ({ retry }: ShownDeadline): string => (retry ? `retry ${retry.number} of ${retry.of} ` : '');

function timeText({ due, remaining_seconds: left, held, overdue, paused }: ShownDeadline): string {
  if (paused) return `paused, ${left} s are left when it is resumed`;
  if (overdue) return `was due ${-left} s ago (${due})${held ? ' and is held' : ''}`;
  return `due in ${left} s (${due})${held ? ', held' : ''}`;
}
