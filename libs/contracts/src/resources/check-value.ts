/**
 * A value that a client sends, against the declaration of its field.
 * contract: node-api.md §1, §3; other-resources.md
 */
import type { Field } from './field';
import { isStorable } from './storable-text';
import { canonicalUuid, isUuidLike } from './uuid-text';

/** The value as it is stored, or what is wrong with it. */
export type CheckedValue = { readonly value: unknown } | { readonly problem: string };

const truths: ReadonlySet<string> = new Set(['1', 't', 'true', 'on', 'y', 'yes']);
const lies: ReadonlySet<string> = new Set(['0', 'f', 'false', 'off', 'n', 'no']);

/** Booleans become such, UUIDs take their one spelling, null objects become empty ones. */
export function checkFieldValue(field: Field, value: unknown): CheckedValue {
  if (value === null || value === undefined) {
    if (!field.nullable) return { problem: 'null is not allowed' };
    return { value: field.type === 'object' ? {} : null };
  }
  switch (field.type) {
    case 'object':
      return typeof value === 'object' && !Array.isArray(value) ? { value } : { problem: 'an object is expected' };
    case 'list':
      return Array.isArray(value) ? { value } : { problem: 'a list is expected' };
    case 'boolean':
      return booleanOf(value);
    case 'integer':
      return integerOf(field, value);
    case 'uuid':
      return isUuidLike(value) ? { value: canonicalUuid(value) } : { problem: 'a UUID is expected' };
    case 'string':
      return textOf(field, value);
    case 'time':
    case 'links':
      return { problem: 'it cannot be set' };
  }
}

function booleanOf(value: unknown): CheckedValue {
  if (typeof value === 'boolean') return { value };
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (truths.has(word)) return { value: true };
  if (lies.has(word)) return { value: false };
  return { problem: `a boolean is expected: ${[...truths, ...lies].join(', ')}` };
}

function integerOf({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Field, value: unknown): CheckedValue {
  if (typeof value !== 'number' || !Number.isInteger(value)) return { problem: 'an integer is expected' };
  if (value < minimum || value > maximum) return { problem: `an integer from ${minimum} to ${maximum} is expected` };
  return { value };
}

function textOf(field: Field, value: unknown): CheckedValue {
  if (typeof value !== 'string') return { problem: 'a string is expected' };
  if (!isStorable(value)) return { problem: 'it holds a NUL character or half of a surrogate pair' };
  const length = [...value].length;
  if (length > (field.maxLength ?? Infinity)) return { problem: `at most ${field.maxLength} characters are allowed` };
  if (length < (field.minLength ?? 0)) return { problem: `at least ${field.minLength} characters are needed` };
  if (field.oneOf && !field.oneOf.includes(value)) return { problem: `one of ${field.oneOf.join(', ')} is expected` };
  return { value };
}
