/**
 * A document as an answer, field by field: where it is no resource's whole text.
 * contract: node-api.md §1; microversions.json fake_state_values
 */
import { shownStates } from '@lib/contracts';
import type { Selection } from '../lists';

export type Document = Readonly<Record<string, unknown>>;
export type Computed = Readonly<Record<string, unknown>>;

export const renderDocument = (document: Document, selection: Selection, computed: Computed): Record<string, unknown> =>
  Object.fromEntries(
    selection.map(({ name, computed: isComputed, empty }) => [name, (isComputed ? computed : document)[name] ?? empty]),
  );

/** The provision state as a client of this version may know it. */
export function shownState(state: unknown, minor: number): unknown {
  const rule = shownStates.find((one) => one.real === state && minor < one.below);
  return rule ? rule.shown : state;
}
