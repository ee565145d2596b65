import { decode, encode, subjects } from '@lib/contracts';
import type { InspectorReply, InspectorRequest, InspectorWord } from '@lib/contracts';
import { BusError } from '@lib/ports';
import type { Call, Clock, MessageBus } from '@lib/ports';
import { pause, untilGivenUp } from '../bounded-call';

export interface InspectorPeer {
  readonly bus: MessageBus;
  readonly prefix: string;
  /** Longest time of one call. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Statuses that mean "later": the entry is locked, or the service is starting (contract: inspection.md §5). */
const busy: ReadonlySet<number> = new Set([409, 503]);
const RETRIES_MAX = 5;
/** Before the first retry; doubles with each, 12.4 s in all: longer than an inspector's own retries towards our API. */
const FIRST_PAUSE_MS = 400;

function silence(error: unknown, { timeoutMs }: InspectorPeer): Error {
  if (!(error instanceof BusError)) return error instanceof Error ? error : new Error(String(error));
  switch (error.code) {
    case 'NO_RESPONDERS':
      return new Error('no inspector is running: nobody answers its calls on the message bus');
    case 'TIMEOUT':
      return new Error(`the inspector did not answer within ${timeoutMs / 1000} seconds`);
    case 'UNAVAILABLE':
      return new Error('the message bus can not be reached, so the inspector was not asked');
    default:
      return new Error(`the inspector could not be asked: ${error.message}`);
  }
}

function replyOf(bytes: Uint8Array): InspectorReply {
  let reply: unknown = null;
  try {
    reply = decode(bytes);
  } catch {
    // Falls to the check below: what is no JSON has no status either.
  }
  if (typeof reply === 'object' && reply !== null && typeof (reply as InspectorReply).status === 'number') {
    return reply as InspectorReply;
  }
  throw new Error('the inspector answered with something that is no reply of its API');
}

/** One call. Rejects, with a text fit for `last_error`, when there is no answer. */
export async function ask(
  word: InspectorWord,
  request: InspectorRequest,
  peer: InspectorPeer,
  signal: AbortSignal,
): Promise<InspectorReply> {
  const { bus, prefix, timeoutMs } = peer;
  try {
    const sent = bus.request(subjects.inspector(prefix, word), encode(request), { timeoutMs });
    return replyOf(await untilGivenUp(sent, signal));
  } catch (error) {
    throw silence(error, peer);
  }
}

/**
 * As `ask`, again with growing pauses while the inspector is busy; the last answer may still be a busy one. `doneBy` looks
 * whether it is busy with the very thing that is asked of it.
 */
export async function askPatiently(
  word: InspectorWord,
  request: InspectorRequest,
  peer: InspectorPeer,
  call: Call,
  doneBy: (busyReply: InspectorReply) => Promise<boolean> = () => Promise.resolve(false),
): Promise<InspectorReply | 'done before'> {
  for (let retries = 0; ; retries += 1) {
    const reply = await ask(word, request, peer, call.signal);
    if (!busy.has(reply.status)) return reply;
    if (await doneBy(reply)) return 'done before';
    if (retries === RETRIES_MAX) return reply;
    await pause(FIRST_PAUSE_MS * 2 ** retries, peer.clock, call.signal);
    await call.stillStands();
  }
}

/** The reason in a refusing reply (contract: inspector-api.md, `{"error": {"message": ...}}`). */
export function reasonIn({ status, body }: InspectorReply): string {
  const message = (body as { error?: { message?: unknown } } | null)?.error?.message;
  return typeof message === 'string' && message !== '' ? message : `the inspector answered with status ${status}`;
}
