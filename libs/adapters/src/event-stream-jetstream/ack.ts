import { BusError, type PublishResult } from '@lib/ports';

/** What the broker says to a publish: `{"stream","seq","duplicate"?}` or `{"error":{"code","err_code","description"}}`. */
interface Ack {
  readonly stream?: string;
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly code?: number; readonly err_code?: number; readonly description?: string };
}

export type AckRead = { readonly result: PublishResult; readonly sequence: number | null };

const WRONG_LAST_SEQUENCE = 10071;
const WRONG_LAST_ID = 10070;
const OTHER_STREAM = 10060;
const SERVER_TROUBLE = 500;

/** Throws BusError UNAVAILABLE when the refusal is about the state of the broker, not about this message. */
export function readAck(data: Uint8Array, streamName: string): AckRead {
  const ack = parse(data);
  if (ack.error !== undefined) return { result: refusal(ack.error), sequence: null };
  if (ack.stream !== streamName || ack.seq === undefined) {
    throw new BusError('UNAVAILABLE', `no answer of the stream ${streamName}`);
  }
  // In it already: sent before, and the answer to that was lost. Whether it is the last one only the cursor tells.
  if (ack.duplicate === true) return { result: { outcome: 'out-of-step' }, sequence: null };
  return { result: { outcome: 'published' }, sequence: ack.seq };
}

function refusal(error: NonNullable<Ack['error']>): PublishResult {
  const description = error.description ?? 'no reason given';
  if (error.err_code === WRONG_LAST_SEQUENCE || error.err_code === WRONG_LAST_ID || error.err_code === OTHER_STREAM) {
    return { outcome: 'out-of-step' };
  }
  if ((error.code ?? SERVER_TROUBLE) >= SERVER_TROUBLE)
    throw new BusError('UNAVAILABLE', `the broker says: ${description}`);
  return { outcome: 'refused', reason: description };
}

function parse(data: Uint8Array): Ack {
  try {
    const ack: unknown = JSON.parse(Buffer.from(data).toString());
    if (typeof ack === 'object' && ack !== null) return ack as Ack;
  } catch {
    // Said below.
  }
  throw new BusError('UNAVAILABLE', 'the broker gave an answer that is none');
}
