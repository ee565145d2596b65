import { BUS_BODY_BYTES_MAX } from '@lib/ports';
import { headers, type Msg, type MsgHdrs } from 'nats';

/**
 * How a body travels that is too large for one message. A message without this header is a whole body.
 *
 *   sender -> receiver   open <bytes> <partBytes> <patienceMs>   goes where the whole body would have gone; its reply subject
 *                                                                is where the sender takes pulls
 *   receiver -> sender   pull <upTo>                             send the parts below `upTo`; its reply subject is where to
 *   sender -> receiver   part <index> [<sha256>]                 in order; the last one carries the digest of the whole body
 *
 * Of another kind, and without a body:
 *
 *   server -> requester  alive                                   the request has come and is being worked on, once a second
 *
 * The receiver pulls, so it alone decides how much is on its way to it. `open` carries no part of the body: a crowd of large
 * requests, sent at once to a conductor that is behind, would else fill what the broker keeps for a client (64 MiB), and the
 * broker would drop the conductor's connection.
 */
const HEADER = 'Ferrolog-Parts';

export type Frame =
  | { readonly kind: 'alive' }
  | { readonly kind: 'open'; readonly bytes: number; readonly partBytes: number; readonly patienceMs: number }
  | { readonly kind: 'pull'; readonly upTo: number }
  | { readonly kind: 'part'; readonly index: number; readonly digest: string | null };

/** `broken`: the header is there and makes no sense. */
export type FrameRead = Frame | { readonly kind: 'whole' } | { readonly kind: 'broken' };

export function writeFrame(frame: Frame): MsgHdrs {
  const written = headers();
  written.set(HEADER, frameText(frame));
  return written;
}

function frameText(frame: Frame): string {
  switch (frame.kind) {
    case 'alive':
      return 'alive';
    case 'open':
      return `open ${frame.bytes} ${frame.partBytes} ${frame.patienceMs}`;
    case 'pull':
      return `pull ${frame.upTo}`;
    case 'part':
      return frame.digest === null ? `part ${frame.index}` : `part ${frame.index} ${frame.digest}`;
  }
}

export function readFrame(message: Pick<Msg, 'headers'>): FrameRead {
  const text = message.headers?.get(HEADER);
  if (text === undefined || text === '') return { kind: 'whole' };
  if (text === 'alive') return { kind: 'alive' };
  const open = /^open (\d{1,15}) (\d{1,15}) (\d{1,15})$/.exec(text);
  if (open !== null) return readOpen(Number(open[1]), Number(open[2]), Number(open[3]));
  const pull = /^pull (\d{1,9})$/.exec(text);
  if (pull !== null) return { kind: 'pull', upTo: Number(pull[1]) };
  const part = /^part (\d{1,9})(?: ([0-9a-f]{64}))?$/.exec(text);
  if (part !== null) return { kind: 'part', index: Number(part[1]), digest: part[2] ?? null };
  return { kind: 'broken' };
}

function readOpen(bytes: number, partBytes: number, patienceMs: number): FrameRead {
  if (bytes > BUS_BODY_BYTES_MAX || partBytes < 1 || partBytes >= bytes) return { kind: 'broken' };
  return { kind: 'open', bytes, partBytes, patienceMs };
}
