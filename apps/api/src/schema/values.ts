/**
 * Values that clients send, checked against the declaration of their field. Errors name the field.
 * contract: node-api.md §1, §3; other-resources.md §1
 */
import type { Field } from '@lib/contracts';
import { badRequest } from '../faults';
import { booleanOf, isObject } from '../http';
import { canonicalUuid, isUuidLike } from '../nodes/idents';

const schemaError = (field: Field, text: string) => badRequest(`Schema error for ${field.name}: ${text}.`);

/** The value as it is stored: booleans as such, UUIDs in their one spelling, null objects as empty ones. */
export function checkValue(field: Field, value: unknown): unknown {
  if (value === null) {
    if (!field.nullable) throw schemaError(field, 'null is not allowed');
    return field.type === 'object' ? {} : null;
  }
  switch (field.type) {
    case 'object':
      if (!isObject(value)) throw schemaError(field, 'an object is expected');
      return value;
    case 'boolean':
      return booleanOf(value, field.name);
    case 'uuid':
      if (!isUuidLike(value)) throw schemaError(field, 'a UUID is expected');
      return canonicalUuid(value);
    case 'string':
      return checkText(field, value);
    case 'integer':
    case 'list':
    case 'time':
    case 'links':
      throw schemaError(field, 'it cannot be set');
  }
}

/** No database column and no UTF-8 holds them; inside free objects they stay escaped. */
const UNSTORABLE = /[\0\p{Cs}]/u;

function checkText(field: Field, value: unknown): string {
  if (typeof value !== 'string') throw schemaError(field, 'a string is expected');
  if (UNSTORABLE.test(value)) throw schemaError(field, 'it holds a NUL character or half of a surrogate pair');
  const length = [...value].length;
  if (length > (field.maxLength ?? Infinity))
    throw schemaError(field, `at most ${field.maxLength} characters are allowed`);
  if (length < (field.minLength ?? 0)) throw schemaError(field, `at least ${field.minLength} characters are needed`);
  return value;
}

/** All fields of a creation; what is null or absent is left to the defaults. */
export function checkCreation(
  kind: string,
  fields: readonly Field[],
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = byName.get(name);
    if (!field || field.create === 'refused')
      throw badRequest(`Schema error for ${kind}: unexpected property '${name}'.`);
    const stored = checkValue(field, value);
    if (stored !== null) checked[name] = stored;
  }
  const missing = fields.find((field) => field.create === 'required' && checked[field.name] === undefined);
  if (missing) throw badRequest(`Schema error for ${kind}: '${missing.name}' is a required property.`);
  return checked;
}
