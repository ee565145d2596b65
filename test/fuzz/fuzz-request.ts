/** One request as it goes over the wire, byte for byte. */
export interface FuzzRequest {
  /** What it is meant to try, for people. */
  readonly kind: 'described' | 'spoiled' | 'elsewhere' | 'broken';
  readonly method: string;
  /** As in the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
  /** `chunked`: in pieces, as clients send what they do not know the length of. `raw`: the body is the whole of what is sent. */
  readonly framing: 'length' | 'chunked' | 'raw';
}

const CRLF = '\r\n';
const CHUNK_BYTES = 700;

/** The bytes; the connection is given up after each answer. */
export function onTheWire({ method, target, headers, body, framing }: FuzzRequest): Buffer {
  if (framing === 'raw') return body ?? Buffer.alloc(0);
  const length =
    body === null ? [] : framing === 'chunked' ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${body.length}`];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...length,
    'Connection: close',
    '',
    '',
  ];
  const head = Buffer.from(lines.join(CRLF), 'latin1');
  if (body === null) return head;
  return Buffer.concat([head, ...(framing === 'chunked' ? chunks(body) : [body])]);
}

function chunks(body: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    const piece = body.subarray(at, at + CHUNK_BYTES);
    pieces.push(Buffer.from(`${piece.length.toString(16)}${CRLF}`), piece, Buffer.from(CRLF));
  }
  return [...pieces, Buffer.from(`0${CRLF}${CRLF}`)];
}

const SHOWN_BYTES = 2_000;

/** For a report: enough to send it again by hand. */
export function describeRequest(request: FuzzRequest): string {
  const bytes = onTheWire(request);
  const text = JSON.stringify(bytes.subarray(0, SHOWN_BYTES).toString('latin1'));
  return `${request.kind} request, ${bytes.length} bytes: ${text}${bytes.length > SHOWN_BYTES ? '...' : ''}`;
}
