import { nodeFields, portFields } from '@lib/contracts';
import type { Field } from '@lib/contracts';
import { Refusal } from '@lib/domain';

const uuidPattern = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const truths = /^(1|t|true|on|y|yes)$/i;
const lies = /^(0|f|false|off|n|no)$/i;

const wrong = ({ name }: Field, what: string): Refusal =>
  new Refusal('INVALID_PARAMETER', `Schema error for ${name}: ${what}`);

/** Booleans come as such or as one of the field's words (contract: node-api.md §1). */
function booleanOf(field: Field, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && truths.test(value)) return true;
  if (typeof value === 'string' && lies.test(value)) return false;
  throw wrong(field, 'a boolean is needed: true, false, 1, 0, t, f, on, off, y, n, yes or no');
}

function textOf(field: Field, value: unknown): string {
  if (typeof value !== 'string') throw wrong(field, 'a string is needed');
  if (field.maxLength !== undefined && [...value].length > field.maxLength) {
    throw wrong(field, `at most ${field.maxLength} characters`);
  }
  if (field.minLength !== undefined && value.length < field.minLength) throw wrong(field, 'it must not be empty');
  return value;
}

function uuidOf(field: Field, value: unknown): string {
  const text = textOf(field, value);
  if (!uuidPattern.test(text)) throw wrong(field, 'a UUID is needed');
  return text;
}

function valueOf(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) {
    if (!field.nullable) throw wrong(field, 'it must not be null');
    return field.type === 'object' ? {} : null;
  }
  switch (field.type) {
    case 'boolean':
      return booleanOf(field, value);
    case 'uuid':
      return uuidOf(field, value);
    case 'string':
      return textOf(field, value);
    case 'object':
      if (typeof value !== 'object' || Array.isArray(value)) throw wrong(field, 'an object is needed');
      return value;
    default:
      return value;
  }
}

const tables = { node: nodeFields, port: portFields } as const;

/** A whole document against its resource's declaration; booleans come out as booleans, unset objects as `{}`. */
export function checkedFields(
  resource: keyof typeof tables,
  document: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const declared = new Map(tables[resource].map((field) => [field.name, field]));
  const entries = Object.entries(document).map(([key, value]) => {
    const field = declared.get(key);
    if (!field) throw new Refusal('INVALID_PARAMETER', `Unknown field ${key}.`);
    return [key, valueOf(field, value)];
  });
  return Object.fromEntries(entries);
}

/** What removing a field by PATCH leaves. */
export const emptyValue = (resource: keyof typeof tables, name: string): unknown =>
  tables[resource].find((field) => field.name === name)?.empty ?? null;
