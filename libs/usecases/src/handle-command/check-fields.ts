import { checkFieldValue, nodeFields, plainResources } from '@lib/contracts';
import type { Field, PlainKind } from '@lib/contracts';
import { Refusal } from '@lib/domain';

function valueOf(field: Field, value: unknown): unknown {
  const checked = checkFieldValue(field, value);
  if ('problem' in checked)
    throw new Refusal('INVALID_PARAMETER', `Schema error for ${field.name}: ${checked.problem}.`);
  return checked.value;
}

type Checkable = 'node' | PlainKind;

const fieldsOf = (resource: Checkable): readonly Field[] =>
  resource === 'node' ? nodeFields : plainResources[resource].fields;

/** A whole document against its resource's declaration; booleans come out as booleans, unset objects as `{}`. */
export function checkedFields(
  resource: Checkable,
  document: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const declared = new Map(fieldsOf(resource).map((field) => [field.name, field]));
  const entries = Object.entries(document).map(([key, value]) => {
    const field = declared.get(key);
    if (!field) throw new Refusal('INVALID_PARAMETER', `Unknown field ${key}.`);
    return [key, valueOf(field, value)];
  });
  return Object.fromEntries(entries);
}

/** What removing a field by PATCH leaves. */
export const emptyValue = (resource: Checkable, name: string): unknown =>
  fieldsOf(resource).find((field) => field.name === name)?.empty ?? null;
