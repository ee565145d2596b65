/** Filters of what belongs to nodes. contract: other-resources.md §1-2, §13 */
import { argumentGates } from '@lib/contracts';
import { isMac } from '@lib/domain';
import type { Condition } from '@lib/ports';
import { badRequest } from '../faults';
import type { Call } from '../http';
import { canonicalUuid, descriptionContaining, findNode, isUuidLike } from '../nodes';
import { checkGate } from '../version';

const NODES_PER_READ = 1_000;

/** A node by UUID or name; unknown is 404. */
export async function ofNode(call: Call, value: string): Promise<Condition> {
  if (!isUuidLike(value)) checkGate(call.minor, argumentGates.nodeName);
  return { column: 'node_uuid', is: 'equal', value: (await findNode(call, value)).uuid };
}

export function withUuid(column: string, value: string): Condition {
  if (!isUuidLike(value)) throw badRequest(`Expected a UUID for ${column} but received ${value}.`);
  return { column, is: 'equal', value: canonicalUuid(value) };
}

export function withAddress(value: string): Condition {
  if (!isMac(value)) throw badRequest(`Expected a MAC address but received ${value}.`);
  return { column: 'address', is: 'equal', value: value.toLowerCase() };
}

export { descriptionContaining };

/** Parts know their node only, so the nodes are found first. `text` is a comma list. */
export async function ofNodesWith(call: Call, column: string, text: string): Promise<Condition> {
  const values = [...new Set(text.split(',').flatMap((one) => [one.trim(), one.trim().toLowerCase()]))];
  const uuids: string[] = [];
  for (let after: string | undefined; ;) {
    const found: readonly { readonly id: string }[] =
      (await call.services.readModel.list({
        kind: 'node',
        where: [{ column, is: 'in', values }],
        sort: { column: 'seq', descending: false },
        limit: NODES_PER_READ,
        ...(after === undefined ? {} : { after }),
      })) ?? [];
    uuids.push(...found.map((one) => one.id));
    after = found.at(-1)?.id;
    if (found.length < NODES_PER_READ) return { column: 'node_uuid', is: 'in', values: uuids };
  }
}
