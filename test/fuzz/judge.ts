import { answerProblems } from '../openapi';
import type { FuzzRequest } from './fuzz-request';
import type { WireAnswer } from './wire';

/** Nobody asked for these by a header of that name. */
const INJECTED = 'x-injected';

/**
 * What is wrong with an answer to a request, whatever the request was. None at all is right only where what was sent is no
 * whole request.
 */
export function complaints({ kind, method, target }: FuzzRequest, answer: WireAnswer | null): string[] {
  if (answer === null) return kind === 'broken' ? [] : ['no answer: the connection was closed'];
  const { status, headers, text } = answer;
  const worst = status >= 500 ? [`status ${status}: ${text.slice(0, 500)}`] : [];
  const injected = INJECTED in headers ? ['a part of the request became a header of the answer'] : [];
  // Of what is no request nobody knows what it asked for; a refusal has its shape all the same.
  if (kind === 'broken' && status < 400) return injected;
  const asked = kind === 'broken' ? { method: 'GET', path: '/-' } : { method, path: target };
  return [
    ...worst,
    ...injected,
    ...lengthProblems(answer, method),
    ...answerProblems({ ...asked, status, headers, text }),
  ];
}

function lengthProblems({ headers, text }: WireAnswer, method: string): string[] {
  const told = headers['content-length'];
  if (told === undefined || method === 'HEAD') return [];
  const length = Buffer.byteLength(text);
  return Number(told) === length ? [] : [`${length} bytes where Content-Length says ${told}`];
}
