import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** Pieces of a body that takes its time. */
const PIECES = 20;

/** A body at once, or piece by piece over this time (contract: ramdisk.md §8, slow body). */
export function pacedBody(body: string, overMs: number): string | Readable {
  return overMs <= 0 ? body : Readable.from(pieces(Buffer.from(body), overMs / PIECES));
}

async function* pieces(bytes: Buffer, pauseMs: number): AsyncGenerator<Buffer> {
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  for (let sent = 0; sent < bytes.length; sent += size) {
    if (sent > 0) await pause(pauseMs);
    yield bytes.subarray(sent, sent + size);
  }
}
