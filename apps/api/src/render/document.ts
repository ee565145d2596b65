/**
 * A stored document as an answer: the fields of a selection, secrets masked, what is computed added.
 * contract: node-api.md §1; microversions.json fake_state_values
 */
import { shownStates, type Field } from '@lib/contracts';
import { maskSecrets } from '@lib/domain';
import type { Selection } from '../lists';

export type Document = Readonly<Record<string, unknown>>;
export type Computed = Readonly<Record<string, unknown>>;

export function renderDocument(document: Document, selection: Selection, computed: Computed): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const field of selection) {
    shown[field.name] = field.computed ? (computed[field.name] ?? field.empty) : valueOf(document, field);
  }
  return shown;
}

function valueOf(document: Document, field: Field): unknown {
  const value =
    document[field.name] ?? (field.nullable && field.type === 'boolean' ? shownNull(document, field) : field.empty);
  return field.masked ? maskSecrets(field.name, value) : value;
}

/** A nullable boolean that was emptied reads null; one that was never stored reads its default. */
const shownNull = (document: Document, field: Field): unknown =>
  Object.hasOwn(document, field.name) ? null : field.empty;

/** The provision state as a client of this version may know it. */
export function shownState(state: unknown, minor: number): unknown {
  const rule = shownStates.find((one) => one.real === state && minor < one.below);
  return rule ? rule.shown : state;
}
