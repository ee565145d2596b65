import { createHash } from 'node:crypto';
import type { RecordedEvent } from './event-log';

/** The predecessor's hash of a stream's first event. */
export const FIRST_PREV_HASH = '0'.repeat(64);

/** What the hash covers beside the predecessor's hash; position and time belong to the log, not to the stream. */
export type HashedFields = Pick<RecordedEvent, 'stream' | 'version' | 'type' | 'schema' | 'data' | 'meta'>;

/**
 * Hash of one event in its stream's chain, hex.
 *
 * SHA-256 over the 32 bytes of `prevHash`, then stream, version, type, schema, data and meta in this order, each as
 * its length in bytes (8 bytes, big endian) and its UTF-8 bytes; numbers in decimal. The lengths make the framing
 * unambiguous: no two different events give the same input.
 */
export function eventHash(prevHash: string, event: HashedFields): string {
  const hash = createHash('sha256').update(prevHash, 'hex');
  for (const field of [event.stream, event.version, event.type, event.schema, event.data, event.meta]) {
    const bytes = Buffer.from(String(field), 'utf8');
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    hash.update(length).update(bytes);
  }
  return hash.digest('hex');
}
