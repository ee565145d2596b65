/**
 * ETag, If-Match and If-None-Match around a handler (RFC 9110 §13). What a command changes is compared by the conductor, in
 * its append; here only what needs no command.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Accompanied } from '../commands';
import { refusalFault } from '../faults';
import type { Answer, Call } from '../http';
import type { Found } from '../router';
import { entityTag, isAmong, tagsIn, versionsIn, type Tags } from './entity-tag';
import { NotedReads } from './noted-reads';
import { subjectOf } from './subject';

type Conditional = Pick<IncomingHttpHeaders, 'if-match' | 'if-none-match'>;

/** Runs the handler; throws its faults, 400 for a header that is none, and 412. */
export async function underConditions(found: Found, call: Call, headers: Conditional): Promise<Answer> {
  const isRead = call.method === 'GET';
  const ifMatch = tagsIn(headers['if-match'], 'If-Match');
  // With other methods it would say "only if it is not there": no request of this API has a use for that.
  const ifNoneMatch = isRead ? tagsIn(headers['if-none-match'], 'If-None-Match') : null;
  const subject = subjectOf(call.method, found.pattern);
  if (subject === null && ifMatch === null) return found.handler(call);
  const { services } = call;
  const readModel = new NotedReads(services.readModel, subject?.kind ?? '');
  const commands = new Accompanied(services.commands, ({ uuid }) =>
    ifMatch === null || ifMatch === '*' ? {} : { expected: versionsIn(ifMatch, uuid) },
  );
  const answer = await found.handler({ ...call, services: { ...services, readModel, commands } });
  const { seen } = readModel;
  if (commands.sent === 0) checkMatch(ifMatch, seen);
  if (!subject?.isTagged || seen === undefined || answer.body === null) return answer;
  const tag = entityTag(seen.id, seen.version, answer.body);
  if (ifNoneMatch !== null && isAmong(tag, ifNoneMatch)) return { status: 304, headers: { ETag: tag }, body: null };
  return { ...answer, headers: { ...answer.headers, ETag: tag } };
}

/** Of what no command looked at. What has no version is not held to one. */
function checkMatch(tags: Tags | null, seen: NotedReads['seen']): void {
  if (tags === null || tags === '*' || seen === undefined || versionsIn(tags, seen.id).includes(seen.version)) return;
  throw refusalFault(
    'PRECONDITION_FAILED',
    `The precondition If-Match does not hold: ${seen.id} is at version ${seen.version} now. Nothing happened.`,
  );
}
