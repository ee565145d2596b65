import type { Introspection, LookupAttributes } from './introspection';
import { invalid, notFound } from './refusal';

const score = (row: Introspection, sent: LookupAttributes): number =>
  row.attributes.macs.filter((mac) => sent.macs.includes(mac)).length +
  row.attributes.bmcAddresses.filter((address) => sent.bmcAddresses.includes(address)).length;

/**
 * The row whose attributes match best; it has to be the only best one (contract: inspector-api.md §3.7 step 2).
 * @throws InspectorRefusal INVALID: nothing to look for, or several equally good; NOT_FOUND: nobody.
 */
export const findByAttributes = (rows: Iterable<Introspection>, sent: LookupAttributes): Introspection => {
  const asked = [...sent.macs, ...sent.bmcAddresses].join(', ');
  if (asked === '') throw invalid('The data holds neither a usable MAC nor a BMC address to find its node by');
  let best: Introspection[] = [];
  let bestScore = 1;
  for (const row of rows) {
    const points = score(row, sent);
    if (points > bestScore) best = [];
    if (points >= bestScore) {
      best.push(row);
      bestScore = points;
    }
  }
  const [found, other] = best;
  if (!found) throw notFound(`No node on introspection has any of the addresses ${asked}`);
  if (other) throw invalid(`Several nodes match the addresses ${asked}: ${best.map((row) => row.uuid).join(', ')}`);
  return found;
};
