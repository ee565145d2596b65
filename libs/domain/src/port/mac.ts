import { Refusal } from '../refusal';

const macPattern = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;

export const isMac = (value: unknown): value is string => typeof value === 'string' && macPattern.test(value);

/**
 * A MAC as it is stored and shown: six two-digit hex groups with colons, lower case.
 * Other separators are refused, they are no other spelling (contract: other-resources.md §1).
 */
export function storedMac(value: unknown): string {
  if (isMac(value)) return value.toLowerCase();
  throw new Refusal(
    'INVALID_PARAMETER',
    `Expected a MAC address of six hex groups with colons, not ${JSON.stringify(value)}.`,
  );
}
