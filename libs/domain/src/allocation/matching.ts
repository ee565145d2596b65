import type { ResourceDocument } from '../resource';

/** What an allocation asks for (contract: other-resources.md §10). */
export interface AllocationRequest {
  readonly uuid: string;
  readonly name: string | null;
  /** Null where a node is named and its own class is taken. */
  readonly resourceClass: string | null;
  readonly traits: readonly string[];
  /** UUIDs of the only nodes that may be taken; empty: any. */
  readonly candidates: readonly string[];
  readonly owner: string | null;
}

/** What matching looks at of a node, under the names of its document. */
export interface Candidate {
  readonly uuid: string;
  readonly name: string | null;
  readonly provision_state: string;
  readonly power_state: string | null;
  readonly instance_uuid: string | null;
  readonly maintenance: boolean;
  readonly resource_class: string | null;
  readonly owner: string | null;
  readonly lessee: string | null;
  readonly traits: readonly string[];
}

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const requestOf = (document: ResourceDocument): AllocationRequest => ({
  uuid: String(document['uuid']),
  name: textOrNull(document['name']),
  resourceClass: textOrNull(document['resource_class']),
  traits: texts(document['traits']),
  candidates: texts(document['candidate_nodes']),
  owner: textOrNull(document['owner']),
});

/** What is asked for of every node, free or in use; null: it fits. */
function unlike(node: Candidate, request: AllocationRequest): string | null {
  const { resourceClass, traits, candidates, owner } = request;
  if (resourceClass !== null && node.resource_class !== resourceClass)
    return `its resource class is not ${resourceClass}`;
  if (candidates.length > 0 && !candidates.includes(node.uuid)) return 'it is not among the candidate nodes';
  if (owner !== null && node.owner !== owner && node.lessee !== owner) return `it does not belong to ${owner}`;
  const missing = traits.filter((name) => !node.traits.includes(name));
  return missing.length > 0 ? `it lacks ${missing.join(', ')}` : null;
}

/**
 * Why the node can not be given to the allocation; null: it can. A node `in use` is active already, and the allocation is
 * made for it afterwards (backfill).
 */
export function misfit(node: Candidate, request: AllocationRequest, inUse = false): string | null {
  if (inUse) {
    if (node.provision_state !== 'active') return `it is in state "${node.provision_state}", not "active"`;
    return unlike(node, request);
  }
  if (node.provision_state !== 'available') return `it is in state "${node.provision_state}", not "available"`;
  if (node.instance_uuid !== null) return `it is associated with instance ${node.instance_uuid}`;
  if (node.maintenance) return 'it is in maintenance';
  if (node.power_state === null) return 'its power state is not known';
  return unlike(node, request);
}

/** The node that is called like the allocation first, the others by chance; `random` is uniform in [0, 1). */
export function inOrder<T extends { readonly name: string | null }>(
  candidates: readonly T[],
  name: string | null,
  random: () => number,
): readonly T[] {
  return candidates
    .map((one) => ({ one, place: name !== null && one.name === name ? -1 : random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}
