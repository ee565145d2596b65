/** contract: other-resources.md §10 */
import { argumentGates } from '@lib/contracts';
import type { Condition } from '@lib/ports';
import { badRequest } from '../faults';
import { created, objectBody, type Answer, type Call } from '../http';
import { referredNode } from '../nodes';
import { asReference, checkVersions, plainApi, readResource, resourceText } from '../plain';
import type { Document } from '../render';
import { checkCreation } from '../schema';
import { checkGate } from '../version';

export const allocations = plainApi('allocation', { conditions });

function conditions(call: Call, given: readonly string[]): Promise<Condition[]> {
  return Promise.all(
    given.map(async (name): Promise<Condition> => {
      const value = call.query.single(name) ?? '';
      if (name !== 'node') return { column: name, is: 'equal', value };
      return { column: 'node_uuid', is: 'equal', value: (await referredNode(call, value, 'Node')).uuid };
    }),
  );
}

/** What a body names nodes by becomes their UUIDs; unknown ones are 400. */
async function candidateNodes(call: Call, given: unknown): Promise<readonly string[]> {
  const idents = (given ?? []) as readonly unknown[];
  return Promise.all(
    idents.map(async (ident) => {
      if (typeof ident !== 'string') throw badRequest('Schema error for candidate_nodes: a list of texts is expected.');
      return (await referredNode(call, ident, 'Candidate node')).uuid;
    }),
  );
}

/** A node that is named has the allocation made for it, as it stands (backfill). */
async function namedNode(call: Call, ident: unknown): Promise<{ uuid: string; document: Document } | null> {
  if (ident === undefined || ident === null) return null;
  checkGate(call.minor, argumentGates.allocationNode);
  if (typeof ident !== 'string') throw badRequest('Schema error for node: a string is expected.');
  return referredNode(call, ident, 'Node');
}

export async function createAllocation(call: Call): Promise<Answer> {
  call.query.only([]);
  const { declared } = allocations;
  const { node: ident, ...rest } = objectBody(call);
  const { uuid: wanted, ...fields } = checkCreation(declared.noun, declared.fields, rest);
  checkVersions(allocations, fields, call.minor);
  const node = await namedNode(call, ident);
  if (node === null && fields['resource_class'] === undefined)
    throw badRequest("Schema error for allocation: 'resource_class' is a required property.");
  const candidates = await candidateNodes(call, fields['candidate_nodes']);
  const uuid = String(wanted ?? node?.document['instance_uuid'] ?? call.services.chance.uuid());
  const command = {
    type: 'CreateResource',
    kind: declared.kind,
    uuid,
    nodeUuid: node?.uuid ?? null,
    fields: { ...fields, candidate_nodes: candidates },
    minor: call.minor,
  } as const;
  await asReference(call.services.commands.send(command, call.requestId));
  const stored = await readResource(allocations, call, uuid);
  const text = resourceText(allocations, stored, call, node === null ? { put: asMade } : {});
  return created(text, `${call.publicUrl}/v1/${declared.path}/${uuid}`);
}

/** The answer tells what was accepted; the matching may have ended already. */
const asMade = {
  state: () => 'allocating',
  node_uuid: () => null,
  last_error: () => null,
  updated_at: () => null,
};
