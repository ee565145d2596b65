import type { PatchOperation } from '@lib/contracts';
import { ApiFault, badRequest } from '../faults';
import { created, empty, jsonText, objectBody, type Answer, type Call, type JsonObject } from '../http';
import { fieldsArgument, fullSelection, namedSelection } from '../lists';
import { isUuidLike, referredNode } from '../nodes';
import { checkCreation, checkFieldVersions, checkPatch, patchBody } from '../schema';
import { findResource, readResource } from './find';
import type { PlainApi } from './plain-api';
import { resourceText } from './render';

export async function showResource(api: PlainApi, call: Call): Promise<Answer> {
  const { fields } = api.declared;
  call.query.only(['fields']);
  const names = fieldsArgument(call, fields);
  const selection = names === undefined ? fullSelection(fields, call.minor) : namedSelection(fields, call.minor, names);
  const { stored } = await findResource(api, call);
  return jsonText(200, resourceText(api, stored, call, { selection }));
}

export async function createResource(api: PlainApi, call: Call): Promise<Answer> {
  const { kind, ofNode, path } = api.declared;
  call.query.only([]);
  const body = objectBody(call);
  const { uuid = call.services.chance.uuid(), ...given } = fieldsOf(api, body);
  api.checkFields?.(given, body, call.minor);
  const ident = ofNode ? (api.nodeIdent?.(body) ?? String(given['node_uuid'])) : null;
  const node = ident === null ? null : await referredNode(call, ident, 'Node');
  checkVersions(api, given, call.minor);
  const { node_uuid: _, ...sent } = given;
  const command = {
    type: 'CreateResource',
    kind,
    uuid: String(uuid),
    nodeUuid: node?.uuid ?? null,
    fields: sent,
    minor: call.minor,
  } as const;
  await asReference(call.services.commands.send(command, call.requestId));
  const stored = await readResource(api, call, command.uuid);
  return created(resourceText(api, stored, call), `${call.publicUrl}/v1/${path}/${command.uuid}`);
}

/** With a hook for the node the body may name it by `node_ident` as well, which is no field. */
function fieldsOf({ declared, nodeIdent }: PlainApi, body: JsonObject): Record<string, unknown> {
  const { node_ident: _, ...rest } = body;
  return checkCreation(declared.noun, declared.fields, nodeIdent ? rest : body);
}

export function checkVersions({ declared }: PlainApi, fields: JsonObject, minor: number): void {
  checkFieldVersions(declared.fields, fields, minor);
}

/** In a body an unknown node is a bad value, not a missing resource. */
export async function asReference<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof ApiFault && error.status === 404) throw badRequest(error.message);
    throw error;
  }
}

export async function patchResource(api: PlainApi, call: Call): Promise<Answer> {
  const { declared, patchable } = api;
  call.query.only([]);
  const patch = checkPatch(patchBody(call), { fields: declared.fields, patchable }, call.minor);
  for (const operation of patch) api.checkOperation?.(operation, call.minor);
  const { uuid, document } = await findResource(api, call);
  const command = {
    type: 'PatchResource',
    kind: declared.kind,
    uuid,
    nodeUuid: nodeOf(api, document),
    patch: await Promise.all(patch.map((operation) => withNodeKnown(api, call, operation))),
    minor: call.minor,
  } as const;
  await call.services.commands.send(command, call.requestId);
  const after = await readResource(api, call, uuid);
  return jsonText(200, resourceText(api, after, call));
}

const nodeOf = ({ declared }: PlainApi, document: JsonObject): string | null =>
  declared.ofNode ? String(document['node_uuid']) : null;

async function withNodeKnown({ declared }: PlainApi, call: Call, operation: PatchOperation): Promise<PatchOperation> {
  if (!declared.ofNode || operation.path !== '/node_uuid' || operation.op === 'remove') return operation;
  return { ...operation, value: (await referredNode(call, String(operation.value), 'Node')).uuid };
}

export async function removeResource(api: PlainApi, call: Call): Promise<Answer> {
  call.query.only([]);
  const ident = call.params['ident'] ?? call.params['uuid'] ?? '';
  if (api.removedByUuidOnly && !isUuidLike(ident)) throw badRequest(`Expected a UUID but received ${ident}.`);
  const { uuid, document } = await findResource(api, call);
  const { kind } = api.declared;
  await call.services.commands.send(
    { type: 'RemoveResource', kind, uuid, nodeUuid: nodeOf(api, document) },
    call.requestId,
  );
  return empty(204);
}
