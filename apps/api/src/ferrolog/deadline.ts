/** GET /ferrolog/v1/nodes/{ident}/deadline: until when the node waits for its ramdisk. */
import { isHeld } from '@lib/domain';
import { NodeStreams } from '@lib/usecases';
import { ok, type Answer, type Call } from '../http';
import { findNode } from '../nodes';
import { isoTime } from '../render';

/**
 * Answer: {"deadline": null} where nothing is waited for, or with no limit; else {attempt, due, remaining_seconds, held, overdue}.
 * A held one (maintenance, or an abort under way) does not fire; `remaining_seconds` is negative once it is overdue, and it
 * fires at once when nothing holds it any more.
 */
export async function showDeadline(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  // Read from the log, as the one who decides on it reads it.
  const { stream } = await new NodeStreams(call.services.reader, 1).load(uuid, false);
  const { node } = stream;
  const deadline = node?.deadlines.find(({ purpose }) => purpose !== 'give up');
  if (!node || !deadline) return ok({ deadline: null });
  const { attempt, due } = deadline;
  const leftMs = due - call.services.clock.now();
  return ok({
    deadline: {
      attempt,
      due: isoTime(due),
      remaining_seconds: Math.ceil(leftMs / 1000),
      held: isHeld(node, deadline),
      overdue: leftMs <= 0,
    },
  });
}
