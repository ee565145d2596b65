/**
 * Values that clients send, checked against the declaration of their field. Errors name the field.
 * contract: node-api.md §1, §3; other-resources.md §1
 */
import { checkFieldValue, type Field } from '@lib/contracts';
import { badRequest, tooNew } from '../faults';

/** The value as it is stored. */
export function checkValue(field: Field, value: unknown): unknown {
  const checked = checkFieldValue(field, value);
  if ('problem' in checked) throw badRequest(`Schema error for ${field.name}: ${checked.problem}.`);
  return checked.value;
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

/** Fields of a creation that its version does not know are 406; what is empty may be sent by clients of any version. */
export function checkFieldVersions(
  fields: readonly Field[],
  given: Readonly<Record<string, unknown>>,
  minor: number,
): void {
  const newer = fields.find(
    ({ name, min, below, empty }) =>
      min > minor && below.create === 406 && given[name] !== undefined && !isEmpty(given[name], empty),
  );
  if (newer) throw tooNew(`the field ${newer.name}`, newer.min);
}

const isEmpty = (value: unknown, empty: unknown): boolean =>
  value === null ||
  (value === '' && empty === '') ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);
