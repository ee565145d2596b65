import type { Clock } from '@lib/ports';
import { pause } from '../bounded-call';
import type { HttpAnswer } from './pool';

const POLL_MS = 2000;
/** What a BMC asks for beyond this is not waited for: whoever asked it for the work is. */
const POLL_MS_MAX = 30_000;

/** What became of work that a BMC accepted, as its task monitor tells in the end: 202 is "not yet" (contract: redfish.md §2). */
export async function taskEnd(
  accepted: HttpAnswer,
  poll: () => Promise<HttpAnswer>,
  clock: Clock,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  for (let answer = accepted; ; answer = await poll()) {
    if (answer.status !== 202) return answer;
    await pause(pollMs(answer, clock), clock, signal);
  }
}

/** `Retry-After`: seconds, or a date. */
function pollMs({ headers }: HttpAnswer, clock: Clock): number {
  const after = headers['retry-after'] ?? '';
  const asked = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - clock.now();
  return Number.isNaN(asked) ? POLL_MS : Math.min(Math.max(asked, 0), POLL_MS_MAX) || POLL_MS;
}
