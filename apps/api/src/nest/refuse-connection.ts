/** The answer to bytes that are no HTTP request: the contract's fault, written to the socket. */
import type { Socket } from 'node:net';
import { ApiFault } from '../faults';
import type { ApiServer, RawAnswer } from '../server';
import { endLingering, isAfterTheEnd } from './linger';

const faults: Readonly<Record<string, readonly [status: number, reason: string, text: string]>> = {
  CONNECT: [405, 'Method Not Allowed', 'CONNECT is not allowed: this server is no proxy.'],
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The path and the headers of the request are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
};

const MALFORMED = [400, 'Bad Request', 'The request is not valid HTTP.'] as const;

type RefusedBytes = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

export function refuseConnection(server: ApiServer, error: RefusedBytes, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && isAfterTheEnd(socket, error.rawPacket?.length ?? 0)) return;
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy(error);
    return;
  }
  const [status, reason, text] = faults[error.code ?? ''] ?? MALFORMED;
  // The path is not known, and of the method only that an answer to HEAD has no body.
  const method = error.rawPacket?.subarray(0, HEAD.length).toString('latin1') === HEAD ? 'HEAD' : '-';
  const answer = server.refuse({ method, url: '-', headers: {} }, new ApiFault(status, text, 'router'));
  endLingering(socket, onTheWire(answer, reason));
}

const HEAD = 'HEAD ';

/** Without this a request for a tunnel would see its connection closed, and nothing said. */
export function refuseTunnel(server: ApiServer, socket: Socket): void {
  socket.on('error', () => socket.destroy());
  refuseConnection(server, Object.assign(new Error('a request for a tunnel'), { code: 'CONNECT' }), socket);
  socket.on('data', (chunk: Buffer) => isAfterTheEnd(socket, chunk.length));
}

function onTheWire({ status, headers, body }: RawAnswer, reason: string): string {
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  return [`HTTP/1.1 ${status} ${reason}`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n');
}
