import type { Clock } from '@lib/ports';
import { pause } from '../bounded-call';
import type { Turn } from './connection';
import { HardwareError } from './hardware-error';

/** A question that changes nothing, and is given up when the BMC takes too long. */
export async function asked<T>(limitMs: number, clock: Clock, ask: (turn: Turn) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const asker = new AbortController();
  const tooLong = pause(limitMs, clock, over.signal).then(() => {
    asker.abort();
    throw new HardwareError(`The BMC did not answer within ${limitMs / 1000} seconds.`);
  });
  tooLong.catch(() => undefined);
  try {
    return await Promise.race([ask({ signal: asker.signal, stillStands: () => Promise.resolve() }), tooLong]);
  } finally {
    over.abort();
  }
}
