/** contract: other-resources.md §1 (Create, Get, PATCH, DELETE) */
import {
  portFields,
  portPatchable,
  portPatchVersioned,
  since,
  vtepVersions,
  type PatchOperation,
} from '@lib/contracts';
import { isMac, normaliseLocalLink, Refusal } from '@lib/domain';
import { ApiFault, badRequest, notAcceptable, refusalFault, tooNew } from '../faults';
import { created, empty, isObject, objectBody, ok, type Answer, type Call, type JsonObject } from '../http';
import { fieldsArgument, fullSelection, namedSelection } from '../lists';
import { isUuidLike, referredNode } from '../nodes';
import { renderPort } from '../render';
import { checkCreation, checkPatch, isWhole, patchBody, rootOf } from '../schema';
import { findPort, readPort } from './find';

export async function showPort(call: Call): Promise<Answer> {
  call.query.only(['fields']);
  const names = fieldsArgument(call, portFields);
  const selection =
    names === undefined ? fullSelection(portFields, call.minor) : namedSelection(portFields, call.minor, names);
  const { document } = await findPort(call);
  return ok(renderPort(document, call, selection));
}

export async function createPort(call: Call): Promise<Answer> {
  call.query.only([]);
  const { node_ident: ident, ...body } = objectBody(call);
  const { uuid = call.services.chance.uuid(), node_uuid: _, ...fields } = checkCreation('port', portFields, body);
  checkAddress(fields['address']);
  checkLink(fields['local_link_connection'], call.minor);
  const named = nodeOf(ident, body['node_uuid']);
  const node = await referredNode(call, named, 'Node');
  checkVersions(fields, ident, call.minor);
  checkGroup(fields['portgroup_uuid']);
  const command = { type: 'CreatePort', uuid: String(uuid), nodeUuid: node.uuid, fields } as const;
  await asReference(call.services.commands.send(command, call.requestId));
  const document = await readPort(call, command.uuid);
  const shown = renderPort(document, call, fullSelection(portFields, call.minor));
  return created(shown, `${call.publicUrl}/v1/ports/${command.uuid}`);
}

/** Exactly one of the two; only the ident may be a name. */
function nodeOf(ident: unknown, uuid: unknown): string {
  const given = [ident, uuid].filter((one) => one !== undefined && one !== null);
  if (given.length !== 1)
    throw badRequest('Schema error for port: exactly one of node_uuid and node_ident is required.');
  if (typeof given[0] !== 'string') throw badRequest('Schema error for node_ident: a string is expected.');
  return given[0];
}

function checkVersions(fields: JsonObject, ident: unknown, minor: number): void {
  if (ident !== undefined && minor < since.portNodeIdent) throw tooNew('the field node_ident', since.portNodeIdent);
  const newer = portFields.find((field) => field.min > minor && fields[field.name] !== undefined);
  if (newer) throw tooNew(`the field ${newer.name}`, newer.min);
}

function checkAddress(value: unknown): void {
  if (!isMac(value))
    throw badRequest(`Schema error for address: expected a MAC address but received ${JSON.stringify(value)}.`);
}

/** Keys of a connection that only some versions know, then its own rules. */
function checkLink(link: unknown, minor: number): void {
  if (!isObject(link)) return;
  if ('network_type' in link && minor < since.networkType)
    throw tooNew('local_link_connection/network_type', since.networkType);
  const vtep = 'vtep-logical-switch' in link || 'vtep-physical-switch' in link;
  if (vtep && (minor < vtepVersions.first || minor > vtepVersions.last)) {
    throw notAcceptable(
      `local_link_connection/vtep-* is only known from 1.${vtepVersions.first} to 1.${vtepVersions.last}.`,
    );
  }
  try {
    normaliseLocalLink(link);
  } catch (error) {
    if (error instanceof Refusal) throw refusalFault(error.code, error.message);
    throw error;
  }
}

/** No port group exists in this server, so each one is unknown. */
function checkGroup(uuid: unknown): void {
  if (uuid !== undefined && uuid !== null) throw badRequest(`Portgroup ${String(uuid)} could not be found.`);
}

/** In a body an unknown node is a bad value, not a missing resource. */
async function asReference<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof ApiFault && error.status === 404) throw badRequest(error.message);
    throw error;
  }
}

const rules = {
  fields: portFields,
  patchable: portPatchable,
  versioned: (name: string) => portPatchVersioned.has(name),
};

export async function patchPort(call: Call): Promise<Answer> {
  call.query.only([]);
  const patch = checkPatch(patchBody(call), rules, call.minor);
  for (const operation of patch) checkOperation(operation, call.minor);
  const { uuid, document } = await findPort(call);
  const moved = await Promise.all(patch.map((operation) => withNodeKnown(call, operation)));
  const command = {
    type: 'PatchPort',
    uuid,
    nodeUuid: String(document['node_uuid']),
    patch: moved,
    minor: call.minor,
  } as const;
  await call.services.commands.send(command, call.requestId);
  return ok(renderPort(await readPort(call, uuid), call, fullSelection(portFields, call.minor)));
}

const irremovable: ReadonlySet<string> = new Set(['address', 'node_uuid']);

function checkOperation(operation: PatchOperation, minor: number): void {
  const root = rootOf(operation);
  if (operation.op === 'remove') {
    if (isWhole(operation) && irremovable.has(root))
      throw badRequest(`Couldn't apply patch. Reason: ${root} cannot be removed.`);
    return;
  }
  if (operation.path === '/local_link_connection/network_type' && minor < since.networkType) {
    throw tooNew('local_link_connection/network_type', since.networkType);
  }
  if (!isWhole(operation)) return;
  if (root === 'address') checkAddress(operation.value);
  if (root === 'local_link_connection') checkLink(operation.value, minor);
  if (root === 'portgroup_uuid') checkGroup(operation.value);
}

async function withNodeKnown(call: Call, operation: PatchOperation): Promise<PatchOperation> {
  if (operation.path !== '/node_uuid') return operation;
  return { ...operation, value: (await referredNode(call, String(operation.value), 'Node')).uuid };
}

/** UUID only: a name is 400. */
export async function removePort(call: Call): Promise<Answer> {
  call.query.only([]);
  const ident = call.params['ident'] ?? '';
  if (!isUuidLike(ident)) throw badRequest(`Expected a UUID but received ${ident}.`);
  const { uuid, document } = await findPort(call);
  await call.services.commands.send(
    { type: 'RemovePort', uuid, nodeUuid: String(document['node_uuid']) },
    call.requestId,
  );
  return empty(204);
}
