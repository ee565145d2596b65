import { EVENT_STREAM_MAX_AGE_MS } from '@lib/ports';
import type { EventReader, EventStream, Instant } from '@lib/ports';

/** The stream holds positions that this log does not have yet: the log was put back to an older copy. */
export class StreamAheadOfLog extends Error {
  constructor(
    readonly streamPosition: number,
    readonly head: number,
  ) {
    super(
      `the event stream holds position ${streamPosition} and the log ends at ${head}: the log was put back to an older copy; ` +
        'delete the stream or choose another FERROLOG_BUS_PREFIX',
    );
    this.name = 'StreamAheadOfLog';
  }
}

/** Where a stream stands in the log. */
export interface Cursor {
  /** Number of the last message in the stream, null when it is empty. */
  readonly last: number | null;
  /** The log has to be published from behind this position on. */
  readonly after: number;
}

/** `positionOf`: the position of the log at which everything up to a message of this number is in the stream. */
export async function cursorOf(
  stream: Pick<EventStream, 'cursor'>,
  log: Pick<EventReader, 'head' | 'readAll'>,
  now: Instant,
  positionOf: (number: number) => number = (number) => number,
): Promise<Cursor> {
  const last = await stream.cursor();
  if (last === null) return { last, after: await startingPoint(log, now) };
  const [after, head] = [positionOf(last), await log.head()];
  if (after > head) throw new StreamAheadOfLog(after, head);
  return { last, after };
}

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
