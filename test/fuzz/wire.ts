/** Sends bytes and reads what comes back: nothing between the fuzzer and the socket that would make a request proper. */
import { connect } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Sent {
  /** Null when the connection ended without an answer. */
  readonly answer: Promise<WireAnswer | null>;
  /** Gives the connection up. */
  readonly drop: () => void;
}

/** `ended`: nothing more will be sent, which the server is told; a request that is not whole would be waited for. */
export function send(url: URL, bytes: Buffer, ended: boolean): Sent {
  const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const answer = new Promise<WireAnswer | null>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // What was sent before a reset counts: a server may stop reading a body that it refuses.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(parsed(Buffer.concat(chunks), ended)));
  });
  if (ended) socket.end(bytes);
  else socket.write(bytes);
  return { answer, drop: () => socket.destroy() };
}

const HEAD_END = '\r\n\r\n';

/**
 * Interim answers are skipped. Null when there is no whole answer; its body is what stands there, chunks undone. What is no
 * request may be more than one, with as many answers: `first` takes no more than its length says.
 */
function parsed(bytes: Buffer, first: boolean): WireAnswer | null {
  const at = bytes.indexOf(HEAD_END);
  if (at < 0) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, at).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  const rest = bytes.subarray(at + HEAD_END.length);
  if (status < 200) return parsed(rest, first);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const own = first ? rest.subarray(0, Number(headers['content-length'] ?? rest.length)) : rest;
  const body = headers['transfer-encoding'] === 'chunked' ? unchunked(own) : own;
  return { status, headers, text: body.toString('utf8') };
}

function unchunked(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n');
  const length = Number.parseInt(bytes.subarray(0, Math.max(end, 0)).toString('latin1'), 16);
  if (!(length > 0)) return Buffer.alloc(0);
  const from = end + 2;
  return Buffer.concat([bytes.subarray(from, from + length), unchunked(bytes.subarray(from + length + 2))]);
}
