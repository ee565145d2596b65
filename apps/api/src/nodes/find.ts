import { since } from '@lib/contracts';
import type { ReadModel, StoredDocument } from '@lib/ports';
import { badRequest, notFound } from '../faults';
import type { Call } from '../http';
import type { Document } from '../render';
import { canonicalUuid, isUuidLike } from './idents';

/** A node's document with its uuid. */
export interface FoundNode {
  readonly uuid: string;
  readonly document: Document;
}

export const parseDocument = (stored: StoredDocument): FoundNode => ({
  uuid: stored.id,
  document: JSON.parse(stored.json) as Document,
});

/** By UUID, or by name where `names` allows it; null when there is none. */
export async function lookupNode(readModel: ReadModel, ident: string, names: boolean): Promise<FoundNode | null> {
  const found = await lookupStored(readModel, ident, names);
  return found ? parseDocument(found) : null;
}

async function lookupStored(readModel: ReadModel, ident: string, names: boolean): Promise<StoredDocument | null> {
  const [found] = isUuidLike(ident)
    ? await readModel.get('node', [canonicalUuid(ident)])
    : names
      ? await byName(readModel, ident)
      : [];
  return found ?? null;
}

async function byName(readModel: ReadModel, name: string): Promise<StoredDocument[]> {
  const where = [{ column: 'name', is: 'equal', value: name }] as const;
  const sort = { column: 'seq', descending: false };
  return (await readModel.list({ kind: 'node', where, sort, limit: 1 })) ?? [];
}

/** The node that the path names; 404 with the ident as the client wrote it. */
export const findNode = async (call: Call, ident?: string): Promise<FoundNode> =>
  parseDocument(await findStored(call, ident));

/** The same, its document as the text that is stored. */
export async function findStored(call: Call, ident = call.params['ident'] ?? ''): Promise<StoredDocument> {
  const { readModel } = call.services;
  const names = call.minor >= since.names;
  const found = await lookupStored(readModel, ident, names);
  const again = found ?? (call.jsonCut && names ? await lookupStored(readModel, `${ident}.json`, names) : null);
  if (!again) throw notFound(`Node ${ident} could not be found.`);
  return again;
}

/** The node after a command's reply. */
export async function readNode(call: Call, uuid: string): Promise<StoredDocument> {
  const [stored] = await call.services.readModel.get('node', [uuid]);
  if (!stored) throw notFound(`Node ${uuid} could not be found.`);
  return stored;
}

/** A node that a body refers to: unknown is 400 there. */
export async function referredNode(call: Call, ident: string, what: string): Promise<FoundNode> {
  const found = await lookupNode(call.services.readModel, ident, true);
  if (!found) throw badRequest(`${what} ${ident} could not be found.`);
  return found;
}
