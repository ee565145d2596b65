import { eventSubject } from '@lib/contracts';
import type { PublishedEvent, RecordedEvent } from '@lib/ports';

/** Published events stay below this size (architecture, "The log"). */
export const PUBLISHED_BYTES_MAX = 256 * 1024;

const utf8 = new TextEncoder();

/**
 * The event as subscribers get it: JSON with `data` as it was stored, or with `dataref: { position }` in its place when
 * the whole would be too large.
 */
export function publishedEvent(logId: string, prefix: string, event: RecordedEvent): PublishedEvent {
  const body = bodyOf(logId, event, `"data":${event.data}`);
  if (body.length >= PUBLISHED_BYTES_MAX) return stubOf(logId, prefix, event);
  return { position: event.position, subject: eventSubject(prefix, event.stream, event.type), body };
}

/** The event without its data: what goes out when the broker refuses the whole. */
export function stubOf(logId: string, prefix: string, event: RecordedEvent): PublishedEvent {
  const { position, stream, type } = event;
  const body = bodyOf(logId, event, `"dataref":${JSON.stringify({ position })}`);
  return { position, subject: eventSubject(prefix, stream, type), body };
}

/** `data` and `meta` are JSON text already and go out byte for byte. */
function bodyOf(logId: string, event: RecordedEvent, data: string): Uint8Array {
  const { position, stream, version, type, schema, meta, recordedAt } = event;
  const head = JSON.stringify({ logId, position, stream, version, type, schema, recordedAt });
  return utf8.encode(`${head.slice(0, -1)},${data},"meta":${meta}}`);
}
