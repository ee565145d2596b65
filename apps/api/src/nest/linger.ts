/**
 * A connection that is closed while the client still sends is reset, and the reset takes the answer with it (RFC 9112 §9.6): so
 * what is left of a refused request is read and dropped, within bounds.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** More than this is not read for nothing, bytes. */
export const DRAIN_BYTES_MAX = 8 * 1024 * 1024;
const LINGER_MS = 10_000;

/** Waits for the end of a body that nobody reads, unless it is, or says that it is, longer than is worth it. */
export function drained(request: IncomingMessage): Promise<void> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (request.complete || request.destroyed || announced > DRAIN_BYTES_MAX) return Promise.resolve();
  let length = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > DRAIN_BYTES_MAX) resolve();
    });
    for (const event of ['end', 'error', 'close']) request.on(event, () => resolve());
    request.resume();
  });
}

/** Sockets whose last word is said, with the bytes that came after it. */
const ended = new WeakMap<Socket, number>();

/** Says the last word, and keeps the socket for what the client still sends. */
export function endLingering(socket: Socket, answer: string): void {
  ended.set(socket, 0);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(answer);
}

/** True for bytes behind the last word: they are dropped, and the socket with them once they are too many. */
export function isAfterTheEnd(socket: Socket, bytes: number): boolean {
  const before = ended.get(socket);
  if (before === undefined) return false;
  ended.set(socket, before + bytes);
  if (before + bytes > DRAIN_BYTES_MAX) socket.destroy();
  return true;
}
