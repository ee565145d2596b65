import {
  activeProvisionStates,
  inspectableProvisionStates,
  invalid,
  isUuid,
  notFound,
} from '@lib/domain/introspection';
import { BareMetalApiError, type NodeDocument } from './bare-metal-api';
import type { InspectorRoom } from './room';

/** The node from the Bare Metal API. @throws InspectorRefusal NOT_FOUND, INVALID when the API fails. */
export const fetchNode = async (room: InspectorRoom, ident: string): Promise<NodeDocument> => {
  const node = await room.parts.api.node(ident).catch((error: unknown) => {
    if (error instanceof BareMetalApiError) throw invalid(`Cannot get node ${ident}: ${error.message}`);
    throw error;
  });
  if (!node) throw notFound(`Node ${ident} was not found`);
  return node;
};

/** A UUID is taken as it is; a name is looked up (contract: inspector-api.md §3.2). */
export const uuidOf = async (room: InspectorRoom, ident: string): Promise<string> =>
  isUuid(ident) ? ident.toLowerCase() : (await fetchNode(room, ident)).uuid;

/** @throws InspectorRefusal INVALID naming the state and the list. */
export const checkProvisionState = (room: InspectorRoom, node: NodeDocument): void => {
  const { permitActive = false } = room.parts.options;
  const allowed = [...inspectableProvisionStates, ...(permitActive ? activeProvisionStates : [])];
  if (allowed.includes(node.provisionState)) return;
  throw invalid(
    `Node ${node.uuid} is in provision state "${node.provisionState}"; introspection is possible in: ${allowed.join(', ')}`,
  );
};
