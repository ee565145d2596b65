import { decode, encode, subjects } from '@lib/contracts';
import type { InspectorReply } from '@lib/contracts';
import { BusError } from '@lib/ports';
import type { MessageBus } from '@lib/ports';
import { untilGivenUp } from '../bounded-call';
import { AnswerLost } from './inspector-transport';
import type { InspectorTransport } from './inspector-transport';

export interface BusPeer {
  readonly bus: MessageBus;
  /** Prefix of the bus subjects. */
  readonly prefix: string;
  /** Longest time of one call. */
  readonly timeoutMs: number;
}

function silence(error: unknown, { timeoutMs }: BusPeer): Error {
  if (!(error instanceof BusError)) return error instanceof Error ? error : new Error(String(error));
  switch (error.code) {
    case 'NO_RESPONDERS':
      return new Error('no inspector is running: nobody answers its calls on the message bus');
    case 'TIMEOUT':
      return new AnswerLost(`the inspector did not answer within ${timeoutMs / 1000} seconds`);
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
  throw new AnswerLost('the inspector answered with something that is no reply of its API');
}

/** An inspector that serves the bus: the simulator. */
export function overBus(peer: BusPeer): InspectorTransport {
  const { bus, prefix, timeoutMs } = peer;
  return {
    async ask(word, request, signal) {
      try {
        const sent = bus.request(subjects.inspector(prefix, word), encode(request), { timeoutMs });
        return replyOf(await untilGivenUp(sent, signal));
      } catch (error) {
        throw silence(error, peer);
      }
    },
  };
}
