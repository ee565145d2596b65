/** contract: other-resources.md §1 */
import { argumentGates, vtepVersions, type PatchOperation } from '@lib/contracts';
import { isMac, normaliseLocalLink, Refusal } from '@lib/domain';
import type { Condition } from '@lib/ports';
import { ApiFault, badRequest, notAcceptable, refusalFault } from '../faults';
import { isObject, type Call, type JsonObject } from '../http';
import { findResource, plainApi } from '../plain';
import { checkRemoval, isWhole, rootOf } from '../schema';
import { checkGate } from '../version';
import { descriptionContaining, ofNode, ofNodesWith, withAddress, withUuid } from './node-filters';
import { portgroups } from './portgroup';

export const ports = plainApi('port', {
  conditions,
  nodeIdent,
  checkFields,
  checkOperation,
  put: { local_link_connection: (read, minor) => shownLink(read('local_link_connection'), minor) },
  removedByUuidOnly: true,
});

/** A connection with vtep keys is shown to the versions that know them, others see none (contract: microversions.json, 90). */
function shownLink(link: unknown, minor: number): unknown {
  const known = minor >= vtepVersions.first && minor <= vtepVersions.last;
  const vtep = typeof link === 'object' && link !== null && 'vtep-logical-switch' in link;
  return vtep && !known ? {} : link;
}

/** Exactly one of the two; only the ident may be a name. */
function nodeIdent(body: JsonObject): string {
  const given = [body['node_ident'], body['node_uuid']].filter((one) => one !== undefined && one !== null);
  if (given.length !== 1)
    throw badRequest('Schema error for port: exactly one of node_uuid and node_ident is required.');
  if (typeof given[0] !== 'string') throw badRequest('Schema error for node_ident: a string is expected.');
  return given[0];
}

function checkFields(fields: JsonObject, body: JsonObject, minor: number): void {
  checkAddress(fields['address']);
  checkLink(fields['local_link_connection'], minor);
  if (body['node_ident'] !== undefined) checkGate(minor, argumentGates.portNodeIdent);
}

function checkAddress(value: unknown): void {
  if (!isMac(value))
    throw badRequest(`Schema error for address: expected a MAC address but received ${JSON.stringify(value)}.`);
}

/** Keys of a connection that only some versions know, then its own rules. */
function checkLink(link: unknown, minor: number): void {
  if (!isObject(link)) return;
  if ('network_type' in link) checkGate(minor, argumentGates.networkType);
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

const irremovable = ['address', 'node_uuid'];

function checkOperation(operation: PatchOperation, minor: number): void {
  checkRemoval(operation, irremovable);
  if (operation.op === 'remove') return;
  if (operation.path === '/local_link_connection/network_type') checkGate(minor, argumentGates.networkType);
  if (!isWhole(operation)) return;
  const root = rootOf(operation);
  if (root === 'address') checkAddress(operation.value);
  if (root === 'local_link_connection') checkLink(operation.value, minor);
}

async function conditions(call: Call, given: readonly string[]): Promise<Condition[]> {
  checkExclusion(given);
  return Promise.all(given.map(async (name) => conditionOf(call, name, call.query.single(name) ?? '')));
}

function checkExclusion(given: readonly string[]): void {
  if (given.includes('conductor_groups') && given.some((name) => ['node', 'portgroup', 'address'].includes(name))) {
    throw badRequest('The filter conductor_groups excludes node, portgroup and address.');
  }
  const exclusive = given.filter((name) => ['node', 'portgroup', 'shard'].includes(name));
  if (exclusive.length > 1)
    throw new ApiFault(403, `Operation not permitted: ${exclusive.join(' and ')} exclude each other.`);
}

async function conditionOf(call: Call, name: string, value: string): Promise<Condition> {
  switch (name) {
    case 'node':
      return ofNode(call, value);
    case 'node_uuid':
      return withUuid(name, value);
    case 'address':
      return withAddress(value);
    case 'portgroup':
      return { column: 'portgroup_uuid', is: 'equal', value: (await findResource(portgroups, call, value)).uuid };
    case 'description_contains':
      return descriptionContaining(value);
    case 'shard':
      return ofNodesWith(call, 'shard', value);
    default:
      return ofNodesWith(call, 'conductor_group', value);
  }
}
