import type { PlainKind } from '@lib/contracts';
import type { StoredDocument } from '@lib/ports';
import { badRequest, notFound } from '../faults';
import type { Call } from '../http';
import { canonicalUuid, isLogicalName, isUuidLike } from '../nodes';
import type { Document } from '../render';
import type { PlainApi } from './plain-api';

export interface FoundResource {
  readonly uuid: string;
  readonly stored: StoredDocument;
  readonly document: Document;
}

const capital = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

export const unknown = ({ declared }: PlainApi, ident: string) =>
  notFound(`${capital(declared.noun)} ${ident} could not be found.`);

/** By UUID, or by name where the kind has names. What is neither is 400. */
export async function findResource(
  api: PlainApi,
  call: Call,
  ident: string = call.params['ident'] ?? call.params['uuid'] ?? '',
): Promise<FoundResource> {
  const { kind, noun, addressed } = api.declared;
  const named = addressed === 'by UUID or name' && isLogicalName(ident);
  if (!isUuidLike(ident) && !named)
    throw badRequest(`Expected a UUID${addressed === 'by UUID' ? '' : ' or name'} of a ${noun} but received ${ident}.`);
  const found = await lookUp(kind, call, ident);
  // An end that was cut off may belong to the name (contract: errors-and-negotiation.md §3).
  const stored = found ?? (call.jsonCut && named ? await lookUp(kind, call, `${ident}.json`) : undefined);
  if (!stored) throw unknown(api, ident);
  return { uuid: stored.id, stored, document: JSON.parse(stored.json) as Document };
}

async function lookUp(kind: PlainKind, { services }: Call, ident: string): Promise<StoredDocument | undefined> {
  const { readModel } = services;
  const sort = { column: 'seq', descending: false };
  const where = [{ column: 'name', is: 'equal', value: ident }] as const;
  const [stored] = isUuidLike(ident)
    ? await readModel.get(kind, [canonicalUuid(ident)])
    : ((await readModel.list({ kind, where, sort, limit: 1 })) ?? []);
  return stored;
}

/** The resource after a command's reply. */
export async function readResource(api: PlainApi, call: Call, uuid: string): Promise<StoredDocument> {
  const [stored] = await call.services.readModel.get(api.declared.kind, [uuid]);
  if (!stored) throw unknown(api, uuid);
  return stored;
}
