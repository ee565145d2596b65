import { NoAnswer } from '@lib/adapters/http-exchange';
import { call } from '../calls';
import { pacedBody } from './paced-body';

/** `ipa-http-request-timeout` */
const TIMEOUT_MS = 30_000;

/**
 * Posts data as the real ramdisk does: without a version, and with nobody's name (contract: ramdisk.md §3). Resolves with the
 * status; rejects where nobody can be reached, which is another case than an answer that does not come in time.
 */
export async function postAsRamdisk(
  url: string,
  body: string,
  overMs: number,
  timeoutMs = TIMEOUT_MS,
): Promise<number | 'timed out'> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const posted = { method: 'POST', url, headers, body: pacedBody(body, overMs), timeoutMs: timeoutMs + overMs };
  try {
    return (await call(posted)).status;
  } catch (error) {
    if (error instanceof NoAnswer && error.isLate) return 'timed out';
    throw error;
  }
}
