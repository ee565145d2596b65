import type { JsonObject } from '../node/fields';
import { Refusal } from '../refusal';
import { checkSmartNicLink, normaliseLocalLink } from './local-link';
import { storedMac } from './mac';

/** A port under the API's own names (contract: other-resources.md §1); times and links belong to the representation. */
export type PortDocument = {
  readonly uuid: string;
  /** Lower case, unique over all ports. */
  readonly address: string;
  readonly node_uuid: string;
  readonly extra: JsonObject;
  readonly internal_info: JsonObject;
  readonly pxe_enabled: boolean;
  readonly local_link_connection: JsonObject;
  readonly portgroup_uuid: string | null;
  readonly physical_network: string | null;
  readonly is_smartnic: boolean;
  readonly name: string | null;
  readonly description: string | null;
  readonly vendor: string | null;
  readonly category: string | null;
  readonly available_for_dynamic_portgroup: boolean;
};

/** A port whose creator named only its address and node. */
export const portDefaults: Omit<PortDocument, 'uuid' | 'address' | 'node_uuid'> = {
  extra: {},
  internal_info: {},
  pxe_enabled: true,
  local_link_connection: {},
  portgroup_uuid: null,
  physical_network: null,
  is_smartnic: false,
  name: null,
  description: null,
  vendor: null,
  category: null,
  available_for_dynamic_portgroup: true,
};

/** Null empties a field, except where the contract wants a boolean said (null: 400). */
const neverNull: readonly string[] = ['pxe_enabled', 'available_for_dynamic_portgroup'];

/** Fields as a client wrote them: absent means the default. Types and lengths were checked against the schema. */
export type PortFields = { readonly [Field in keyof PortDocument]?: PortDocument[Field] | null };

/** The document with its defaults, its addresses in lower case, and its own rules checked. */
export function completePort(fields: PortFields, nodeUuid: string, uuid: string): PortDocument {
  const given = Object.entries(fields).filter(([key, value]) => value !== undefined && keeps(key, value));
  const document = { ...portDefaults, ...Object.fromEntries(given), uuid, node_uuid: nodeUuid } as PortDocument;
  if (document.physical_network === '')
    throw new Refusal('INVALID_PARAMETER', 'The physical_network must not be empty.');
  return {
    ...document,
    address: storedMac(fields.address),
    local_link_connection: normaliseLocalLink(document.local_link_connection),
  };
}

function keeps(key: string, value: unknown): boolean {
  if (value !== null) return true;
  if (neverNull.includes(key)) throw new Refusal('INVALID_PARAMETER', `The ${key} of a port must be a boolean.`);
  return false;
}

/** A port as it is created, in every state of its node, also while that is reserved (contract: other-resources.md §1). */
export function newPortDocument(fields: PortFields, nodeUuid: string, uuid: string): PortDocument {
  const document = completePort(fields, nodeUuid, uuid);
  if (document.is_smartnic) checkSmartNicLink(document.local_link_connection);
  return document;
}
