import type { InspectorReply, InspectorRequest, InspectorWord } from '@lib/contracts';
import type { Call, Clock } from '@lib/ports';
import { pause } from '../bounded-call';
import type { InspectorTransport } from './inspector-transport';

export interface InspectorPeer {
  readonly transport: InspectorTransport;
  readonly clock: Clock;
}

/** Statuses that mean "later": the entry is locked, or the service is starting (contract: inspection.md §5). */
const busy: ReadonlySet<number> = new Set([409, 503]);
const RETRIES_MAX = 5;
/** Before the first retry; doubles with each, 12.4 s in all: longer than an inspector's own retries towards our API. */
const FIRST_PAUSE_MS = 400;

/**
 * Asks, and again with growing pauses while the inspector is busy; the last answer may still be a busy one. `doneBy` looks
 * whether it is busy with the very thing that is asked of it.
 */
export async function askPatiently(
  word: InspectorWord,
  request: InspectorRequest,
  { transport, clock }: InspectorPeer,
  call: Call,
  doneBy: (busyReply: InspectorReply) => Promise<boolean> = () => Promise.resolve(false),
): Promise<InspectorReply | 'done before'> {
  for (let retries = 0; ; retries += 1) {
    const reply = await transport.ask(word, request, call.signal);
    if (!busy.has(reply.status)) return reply;
    if (await doneBy(reply)) return 'done before';
    if (retries === RETRIES_MAX) return reply;
    await pause(FIRST_PAUSE_MS * 2 ** retries, clock, call.signal);
    await call.stillStands();
  }
}

/** The reason in a refusing reply (contract: inspector-api.md, `{"error": {"message": ...}}`). */
export function reasonIn({ status, body }: InspectorReply): string {
  const message = (body as { error?: { message?: unknown } } | null)?.error?.message;
  return typeof message === 'string' && message !== '' ? message : `the inspector answered with status ${status}`;
}
