import { badRequest, notFound } from '../faults';
import type { Call } from '../http';
import { canonicalUuid, isLogicalName, isUuidLike } from '../nodes';
import type { Document } from '../render';

export interface FoundPort {
  readonly uuid: string;
  readonly document: Document;
}

/** By UUID or name. What is neither, a MAC among others, is 400 (contract: other-resources.md §1). */
export async function findPort(call: Call): Promise<FoundPort> {
  const ident = call.params['ident'] ?? '';
  if (!isUuidLike(ident) && !isLogicalName(ident))
    throw badRequest(`Expected a UUID or name of a port but received ${ident}.`);
  const { readModel } = call.services;
  const sort = { column: 'seq', descending: false };
  const named = { kind: 'port', where: [{ column: 'name', is: 'equal', value: ident }], sort, limit: 1 } as const;
  const [stored] = isUuidLike(ident)
    ? await readModel.get('port', [canonicalUuid(ident)])
    : ((await readModel.list(named)) ?? []);
  if (!stored) throw notFound(`Port ${ident} could not be found.`);
  return { uuid: stored.id, document: JSON.parse(stored.json) as Document };
}

export async function readPort(call: Call, uuid: string): Promise<Document> {
  const [stored] = await call.services.readModel.get('port', [uuid]);
  if (!stored) throw notFound(`Port ${uuid} could not be found.`);
  return JSON.parse(stored.json) as Document;
}
