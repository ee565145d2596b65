import type { IncomingHttpHeaders } from 'node:http';
import { underConditions } from '../conditions';
import { QueryArguments, type Answer, type Call } from '../http';
import { answerOnce, fingerprintOf, requestIdOf } from '../keyed';
import type { Found, Router } from '../router';

/** Runs the handler of a request with what its headers ask beside: conditions and a key. */
export function carriedOut(found: Found, call: Call, headers: IncomingHttpHeaders, routes: Router): Promise<Answer> {
  const run = (one: Call): Promise<Answer> => underConditions(found, one, headers);
  const id = requestIdOf(call.method, headers['idempotency-key']);
  if (id === null) return run(call);
  const show = (segments: readonly string[]): Promise<Answer> => shown(routes, call, segments);
  const fingerprint = fingerprintOf(call, found.pattern, headers['if-match']);
  return answerOnce({ id, fingerprint, found, call, run, show });
}

/** What the same client would be shown at another path. */
async function shown(routes: Router, call: Call, segments: readonly string[]): Promise<Answer> {
  const found = routes.find('GET', segments, call.minor);
  const { params } = found;
  const query = new QueryArguments('');
  return underConditions(found, { ...call, method: 'GET', params, query, body: new Uint8Array(), jsonCut: false }, {});
}
