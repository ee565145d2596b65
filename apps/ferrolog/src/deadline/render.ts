import type { ShownDeadline } from '../bare-metal';
import { clockText, dateText, plainText, spanText } from '../screen';

/** The deadline in sentences, a line each. */
export function deadlineLines(node: string, deadline: ShownDeadline | null): string[] {
  if (deadline === null) return [`${plainText(node)} waits under no deadline.`];
  const { last_change: change } = deadline;
  const by = change && (change.user ?? change.request_id);
  return [
    `${plainText(node)}: ${retryText(deadline)}${timeText(deadline)}.`,
    ...(change
      ? [
          `${change.change} at ${utc(change.at)}${by ? ` by ${plainText(by)}` : ''}${change.reason ? `: ${plainText(change.reason)}` : ''}`,
        ]
      : []),
  ];
}

/** What is waited for, where it is no ramdisk. */
const retryText = ({ retry }: ShownDeadline): string => (retry ? `retry ${retry.number} of ${retry.of} ` : '');

function timeText({ due, remaining_seconds: left, held, overdue, paused }: ShownDeadline): string {
  const span = spanText(Math.abs(left) * 1000);
  if (paused) return `paused, with ${span} left when it is resumed`;
  if (overdue) return `was due ${span} ago (${utc(due)})${held ? ' and is held' : ''}`;
  return `due in ${span} (${utc(due)})${held ? ', held' : ''}`;
}

/** To the second: `2026-11-30 08:30:00 UTC`. */
function utc(time: string): string {
  const at = Date.parse(time);
  return `${dateText(at)} ${clockText(at).slice(0, 8)} UTC`;
}
