import { EVENT_STREAM_MAX_AGE_MS } from '@lib/ports';
import type { EventReader, Instant } from '@lib/ports';

/**
 * The position after which an empty stream begins: behind the last event older than the stream keeps them. Times of
 * recording never decrease along position, so a few reads find it in a log of any length.
 */
export async function startingPoint(log: Pick<EventReader, 'head' | 'readAll'>, now: Instant): Promise<number> {
  const oldest = now - EVENT_STREAM_MAX_AGE_MS;
  let [tooOld, head] = [0, await log.head()];
  while (tooOld < head) {
    const middle = Math.floor((tooOld + head) / 2);
    const [event] = await log.readAll(middle, 1);
    if (event === undefined || event.recordedAt >= oldest) head = middle;
    else tooOld = middle + 1;
  }
  return tooOld;
}
