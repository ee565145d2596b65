import { createHash } from 'node:crypto';
import { refused } from './messages';
import type { Answer, Asked } from './messages';

const tagOf = ({ body }: Answer): string =>
  `"${createHash('sha1').update(JSON.stringify(body)).digest('hex').slice(0, 12)}"`;

/** Answers of a BMC that names the states of its resources, and changes none that is in another one than is asked for. */
export function answerTagged(
  asked: Asked,
  ifMatch: string | undefined,
  kind: 'strong' | 'weak',
  answer: (asked: Asked) => Answer,
): Answer {
  if (asked.method === 'PATCH' && ifMatch !== undefined) {
    const now = tagOf(answer({ ...asked, method: 'GET' }));
    if (ifMatch !== now) return refused(412, 'The resource has changed.', 'Base.1.8.PreconditionFailed');
  }
  const given = answer(asked);
  if (asked.method !== 'GET' || given.status !== 200) return given;
  const tag = tagOf(given);
  return { ...given, headers: { ...given.headers, ETag: kind === 'weak' ? `W/${tag}` : tag } };
}
