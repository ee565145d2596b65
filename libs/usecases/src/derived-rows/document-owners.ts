import { plainKinds, type DocumentKindName, type PlainKind } from '@lib/contracts';

/** Whose events a kind of documents derives from: streams `<concept>/<the column's value>`. */
export interface DocumentOwner {
  readonly concept: 'node' | PlainKind;
  readonly column: string;
}

const plainOwners = Object.fromEntries(
  plainKinds.map((kind): [PlainKind, DocumentOwner] => [kind, { concept: kind, column: 'id' }]),
) as Record<PlainKind, DocumentOwner>;

export const documentOwners: Readonly<Record<DocumentKindName, DocumentOwner>> = {
  ...plainOwners,
  node: { concept: 'node', column: 'id' },
  node_history: { concept: 'node', column: 'node_uuid' },
  node_inventory: { concept: 'node', column: 'id' },
  node_parts: { concept: 'node', column: 'id' },
  bmc_address: { concept: 'node', column: 'node_uuid' },
};
