import type { DocumentKindName } from '@lib/contracts';

/** Whose events a kind of documents derives from: streams `<concept>/<the column's value>`. */
export interface DocumentOwner {
  readonly concept: 'node' | 'port';
  readonly column: string;
}

export const documentOwners: Readonly<Record<DocumentKindName, DocumentOwner>> = {
  node: { concept: 'node', column: 'id' },
  port: { concept: 'port', column: 'id' },
  node_history: { concept: 'node', column: 'node_uuid' },
  node_inventory: { concept: 'node', column: 'id' },
  bmc_address: { concept: 'node', column: 'node_uuid' },
};
