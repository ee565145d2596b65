import { sameJson } from '../json';
import type { JsonObject } from '../node/fields';

/**
 * Names of essential properties that a machine did not tell, and no rule set (contract: redfish.md §4, row 12): what the node had
 * before is no word of the machine. `found` goes over `before`; `after` is what the rules left.
 */
export function missingEssentials(
  essential: readonly string[],
  before: JsonObject,
  found: JsonObject,
  after: JsonObject,
): readonly string[] {
  const isTold = (name: string): boolean =>
    Object.hasOwn(after, name) && (Object.hasOwn(found, name) || !sameJson(after[name], before[name]));
  return essential.filter((name) => !isTold(name));
}
