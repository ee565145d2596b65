import { createHash } from 'node:crypto';
import type { Call } from '../http';

/**
 * What makes two requests under one key the same: who asks, for what, in which version, under which condition, and the body
 * byte for byte. The spelling of the path and the public address do not count.
 */
export function fingerprintOf(call: Call, pattern: string, ifMatch: string | undefined): string {
  const { requester, method, params, query, minor, body, services } = call;
  const bodyHash = createHash('sha256').update(body).digest('base64url');
  const asked = [requester, method, pattern, Object.entries(params), query.entries(), minor, ifMatch ?? null, bodyHash];
  return services.transport.fingerprint(JSON.stringify(asked));
}
