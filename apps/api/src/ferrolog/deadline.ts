/** GET, PUT and PATCH /ferrolog/v1/nodes/{ident}/deadline: until when the node waits, and an operator's word on that. */
import { isHeld, leftMs } from '@lib/domain';
import type { Deadline, DeadlineChange, Node } from '@lib/domain';
import { NodeStreams } from '@lib/usecases';
import { badRequest } from '../faults';
import { objectBody, ok, reasonIn, type Answer, type Call, type JsonObject } from '../http';
import { findNode } from '../nodes';
import { isoTime } from '../render';

/**
 * Answer: {"deadline": null} where nothing is waited for, or with no limit; else {attempt, retry, due, remaining_seconds, held, overdue,
 * paused, last_change}. A held one (maintenance, an abort under way, or paused) does not fire; `remaining_seconds` is negative
 * once it is overdue, and it fires at once when nothing holds it any more. That of a paused one stands still, and `due` is
 * then when it would have been due.
 */
export async function showDeadline(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  return shown(uuid, call);
}

/**
 * Body: one of {"extend_seconds": n}, {"due_at": ISO 8601}, {"paused": true or false}, and {"reason": text} where there is one.
 * Answer: as of GET. 409 where no deadline is open, 400 for a value that is none, or that leads to an earlier time.
 */
export async function changeDeadline(call: Call): Promise<Answer> {
  call.query.only([]);
  const body = objectBody(call);
  const change = changeIn(body);
  const reason = reasonIn(body['reason']);
  const { uuid } = await findNode(call);
  await call.services.commands.send({ type: 'ChangeDeadline', uuid, change, reason }, call.requestId);
  return shown(uuid, call);
}

async function shown(uuid: string, call: Call): Promise<Answer> {
  // Read from the log, as the one who decides on it reads it.
  const { stream } = await new NodeStreams(call.services.reader, 1).load(uuid, false);
  const { node } = stream;
  const deadline = node?.deadlines.find(({ purpose }) => purpose !== 'give up');
  return ok({ deadline: node && deadline ? told(node, deadline, call.services.clock.now()) : null });
}

function told(node: Node, deadline: Deadline, now: number): JsonObject {
  const { attempt, due, pausedAt, lastWord } = deadline;
  const left = leftMs(deadline, now);
  return {
    attempt,
    retry: deadline.retry ?? null,
    due: isoTime(due),
    remaining_seconds: Math.ceil(left / 1000),
    held: isHeld(node, deadline),
    overdue: left <= 0,
    paused: typeof pausedAt === 'number',
    last_change: lastWord
      ? {
          change: lastWord.word,
          at: isoTime(lastWord.at),
          user: lastWord.by.user,
          request_id: lastWord.by.request,
          reason: lastWord.reason,
        }
      : null,
  };
}

const kinds: Readonly<Record<string, (value: unknown) => DeadlineChange>> = {
  extend_seconds: (seconds) => {
    if (typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)) return { kind: 'extend', seconds };
    throw badRequest('Invalid value for extend_seconds: a positive number is expected.');
  },
  due_at: (text) => {
    const due = typeof text === 'string' && WITH_ZONE.test(text) ? Date.parse(text) : NaN;
    if (Number.isFinite(due)) return { kind: 'move', due };
    throw badRequest('Invalid value for due_at: a time of ISO 8601 with its zone is expected.');
  },
  paused: (paused) => {
    if (typeof paused === 'boolean') return { kind: paused ? 'pause' : 'resume' };
    throw badRequest('Invalid value for paused: true or false is expected.');
  },
};

/** Where a zone is missing, it would be that of this server: nobody means that. */
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

function changeIn(body: JsonObject): DeadlineChange {
  const names = Object.keys(kinds);
  const unexpected = Object.keys(body).filter((name) => name !== 'reason' && !names.includes(name));
  if (unexpected.length > 0) throw badRequest(`Unexpected arguments: ${unexpected.join(', ')}`);
  const [name, ...more] = names.filter((one) => body[one] !== undefined);
  const read = name === undefined ? undefined : kinds[name];
  if (name === undefined || read === undefined || more.length > 0)
    throw badRequest(`Exactly one of ${names.join(', ')} is needed.`);
  return read(body[name]);
}
