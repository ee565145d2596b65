import { storable } from '@lib/contracts';
import { badRequest } from '../faults';

/** Longer ones are no reason but a document. */
export const REASON_CHARS_MAX = 255;

/** An operator's reason, which is kept with what it is the reason of; null where none was given. */
export function reasonIn(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw badRequest('Invalid value for reason: a string is expected.');
  if ([...value].length > REASON_CHARS_MAX)
    throw badRequest(`Invalid value for reason: at most ${REASON_CHARS_MAX} characters are kept.`);
  return value.trim() === '' ? null : storable(value);
}
