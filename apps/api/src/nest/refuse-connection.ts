/** The answer to bytes that are no HTTP request: the contract's fault, written to the socket. */
import type { Socket } from 'node:net';
import { ApiFault } from '../faults';
import type { ApiServer, RawAnswer } from '../server';

const faults: Readonly<Record<string, readonly [status: number, reason: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The path and the headers of the request are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
};

const MALFORMED = [400, 'Bad Request', 'The request is not valid HTTP.'] as const;

export function refuseConnection(server: ApiServer, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy(error);
    return;
  }
  const [status, reason, text] = faults[error.code ?? ''] ?? MALFORMED;
  // Neither method nor path are known.
  const answer = server.refuse({ method: '-', url: '-', headers: {} }, new ApiFault(status, text, 'router'));
  socket.end(onTheWire(answer, reason));
}

function onTheWire({ status, headers, body }: RawAnswer, reason: string): string {
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  return [`HTTP/1.1 ${status} ${reason}`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n');
}
