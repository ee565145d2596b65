import { checkTraitName } from '../plain/names';
import { Refusal } from '../refusal';

/** What a client does to the traits of a node or a runbook. */
export type TraitsChange =
  | { readonly set: readonly string[] }
  | { readonly add: string }
  /** `mustExist`: an absent one is refused with RESOURCE_NOT_FOUND; otherwise there is nothing to do. */
  | { readonly remove: string; readonly mustExist: boolean };

/** contract: node-api.md §15 */
export const TRAITS_MAX = 50;

function changed(before: readonly string[], change: TraitsChange): readonly string[] {
  if ('set' in change) return change.set;
  if ('add' in change) return [...before, change.add];
  if (change.mustExist && !before.includes(change.remove)) {
    throw new Refusal('RESOURCE_NOT_FOUND', `The trait ${change.remove} could not be found.`);
  }
  return before.filter((name) => name !== change.remove);
}

/** The traits afterwards, each once, sorted. Refuses with INVALID_PARAMETER what is no trait, and too many. */
export function traitsAfter(before: readonly string[], change: TraitsChange): readonly string[] {
  const names = [...new Set(changed(before, change))].sort();
  for (const name of names) checkTraitName(name);
  if (names.length > TRAITS_MAX) {
    throw new Refusal('INVALID_PARAMETER', `At most ${TRAITS_MAX} traits are possible, not ${names.length}.`);
  }
  return names;
}
