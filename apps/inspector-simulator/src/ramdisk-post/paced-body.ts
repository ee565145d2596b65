import { setTimeout as pause } from 'node:timers/promises';

/** Pieces of a body that takes its time. */
const PIECES = 20;

/** A body for `fetch`: at once, or piece by piece over this time (contract: ramdisk.md §8, slow body). */
export function pacedBody(body: string, overMs: number): RequestInit {
  if (overMs <= 0) return { body };
  const bytes = Buffer.from(body);
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + size));
      sent += size;
      if (sent >= bytes.length) controller.close();
      else await pause(overMs / PIECES);
    },
  });
  return { body: stream, duplex: 'half' } as RequestInit;
}
