/**
 * Cross-origin requests of browsers. contract: errors-and-negotiation.md §1 (methods and headers); the protocol is that of
 * the Fetch standard. Without `[cors] allowed_origin` nothing of it is there.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '@lib/contracts/settings';

type Cors = Settings['cors'];
type Headers = Record<string, string>;

const METHODS = 'GET, PUT, POST, DELETE, PATCH';
const VERSIONS = [
  'X-OpenStack-Ironic-API-Version',
  'X-OpenStack-Ironic-API-Minimum-Version',
  'X-OpenStack-Ironic-API-Maximum-Version',
];
/** What a page may read beside the few headers that it always may. */
const EXPOSED = [...VERSIONS, 'OpenStack-Request-Id', 'X-OpenStack-Request-Id', 'ETag', 'Location', 'Allow'].join(', ');
const ACCEPTED = [
  ...VERSIONS,
  'OpenStack-API-Version',
  'X-Auth-Token',
  'Authorization',
  'Content-Type',
  'X-OpenStack-Request-Id',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'X-Ferrolog-Reason',
].join(', ');
/** How long a browser may remember the answer to its question. */
const REMEMBERED_S = '3600';

/** Headers for any answer; null where origins are no matter. */
export function corsHeaders({ origin }: IncomingHttpHeaders, { allowed_origin: allowed }: Cors): Headers | null {
  if (allowed.length === 0) return null;
  // The answer to one origin is not that to another.
  const vary: Headers = allowed.includes('*') ? {} : { vary: 'Origin' };
  const granted = grantedOrigin(origin, allowed);
  if (granted === null) return vary;
  return { ...vary, 'access-control-allow-origin': granted, 'access-control-expose-headers': EXPOSED };
}

/** No credentials of the browser's own are let in: a token is a header that the page sets. */
function grantedOrigin(origin: string | undefined, allowed: readonly string[]): string | null {
  if (origin === undefined) return null;
  if (allowed.includes('*')) return '*';
  return allowed.includes(origin.toLowerCase()) ? origin : null;
}

/** The answer to a browser's question whether it may send a request; null when this is none. */
export function preflight(
  method: string,
  headers: IncomingHttpHeaders,
  { allowed_origin: allowed }: Cors,
): { readonly status: 200; readonly headers: Headers; readonly body: '' } | null {
  const isQuestion = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (!isQuestion || grantedOrigin(headers.origin, allowed) === null) return null;
  return {
    status: 200,
    headers: {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': ACCEPTED,
      'access-control-max-age': REMEMBERED_S,
    },
    body: '',
  };
}
