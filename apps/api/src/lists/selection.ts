/**
 * Which fields an answer holds: `fields=`, `detail`, or the default set.
 * contract: node-api.md §4-5; microversions.json generic_rules
 */
import { argumentGates, type ArgumentGate, type Field } from '@lib/contracts';
import { badRequest, tooNew } from '../faults';
import type { QueryArguments } from '../http';
import { checkGate, knows } from '../version';

/** Fields to show, in the order of their table; `links` are always among them. */
export type Selection = readonly Field[];

interface Asking {
  readonly query: QueryArguments;
  readonly minor: number;
}

/** What a resource shows at this version, all of it. Made once for each version. */
export function fullSelection(fields: readonly Field[], minor: number): Selection {
  const known = full.get(fields) ?? new Map<number, Selection>();
  full.set(fields, known);
  const selection = known.get(minor) ?? fields.filter((field) => field.min <= minor && !field.writeOnly);
  known.set(minor, selection);
  return selection;
}

const full = new WeakMap<readonly Field[], Map<number, Selection>>();

/** The named ones as far as the version shows them, without complaint. */
export function namedSelection(fields: readonly Field[], minor: number, names: readonly string[]): Selection {
  return fullSelection(fields, minor).filter((field) => field.name === 'links' || names.includes(field.name));
}

/** `fields=` of the request; undefined when it is not given. Unknown names are 400, newer ones 406. */
export function fieldsArgument(
  call: Asking,
  fields: readonly Field[],
  gate: ArgumentGate = argumentGates.fields,
): string[] | undefined {
  const names = call.query.list('fields');
  if (names === undefined) return undefined;
  checkGate(call.minor, gate);
  for (const name of names) checkName(name, fields, call.minor);
  return names;
}

function checkName(name: string, fields: readonly Field[], minor: number): void {
  const field = fields.find((one) => one.name === name);
  const unknown = () => badRequest(`Field(s) '${name}' is not a valid field.`);
  if (!field?.selectable || field.writeOnly) throw unknown();
  if (field.min <= minor || field.below.fields === 'nothing') return;
  throw field.below.fields === 406 ? tooNew(`the field ${name}`, field.min) : unknown();
}

/** `detail`; undefined when it is not given. */
export function detailArgument(call: Asking, gate: ArgumentGate = argumentGates.detail): boolean | undefined {
  if (!call.query.has('detail')) return undefined;
  checkGate(call.minor, gate);
  return call.query.boolean('detail');
}

export interface ListSelection {
  readonly selection: Selection;
  /** As `next` repeats it. */
  readonly detail: boolean | undefined;
  readonly names: readonly string[] | undefined;
}

/** The selection of a list with `fields` and `detail`. */
export function listSelection(
  call: Asking,
  fields: readonly Field[],
  defaults: readonly string[],
  gate?: ArgumentGate,
): ListSelection {
  const detail = detailArgument(call, gate);
  const named = fieldsArgument(call, fields);
  if (detail === true && named !== undefined) throw badRequest('The arguments fields and detail exclude each other.');
  if (detail === true) return { selection: fullSelection(fields, call.minor), detail, names: undefined };
  const names = named ?? defaults;
  const selection = namedSelection(fields, call.minor, names);
  // Older clients cannot send `fields`, so their `next` must not name it.
  return { selection, detail, names: knows(call.minor, argumentGates.fields) ? names : undefined };
}
