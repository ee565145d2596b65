/** The header Idempotency-Key, and the ids that follow from it: the same in every api, before and after a restart. */
import { createHash } from 'node:crypto';
import { badRequest } from '../faults';

const CHARACTERS_MAX = 255;

const KEYED_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The id of the key's stream; null where there is no key, or the method takes none. Quotes around the key are no part of it. */
export function requestIdOf(method: string, header: string | string[] | undefined): string | null {
  if (header === undefined || !KEYED_METHODS.has(method)) return null;
  const value = Array.isArray(header) ? header.join(', ') : header;
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (!isKey(key)) {
    throw badRequest(
      `Invalid value for Idempotency-Key: '${value.slice(0, CHARACTERS_MAX)}'. It is 1 to ${CHARACTERS_MAX} visible ASCII characters without blank, comma, quote and backslash.`,
    );
  }
  return derivedUuid(`key ${key}`);
}

const isKey = (key: string): boolean => key.length <= CHARACTERS_MAX && /^[!#-+\--[\]-~]+$/.test(key);

/** The id of the command under a key: another one each time that the key is used anew, after it was forgotten. */
export const commandIdOf = (requestId: string, version: number): string =>
  derivedUuid(`command ${requestId} ${version}`);

/** A UUID of version 8 (RFC 9562 §5.8) from a text. */
export function derivedUuid(text: string): string {
  const bytes = createHash('sha256').update(text, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
