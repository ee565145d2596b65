/** contract: other-resources.md §2 */
import type { PatchOperation } from '@lib/contracts';
import { isMac } from '@lib/domain';
import type { Condition } from '@lib/ports';
import { badRequest } from '../faults';
import type { Call } from '../http';
import { plainApi } from '../plain';
import { linkPair } from '../render';
import { checkRemoval } from '../schema';
import { ofNode, ofNodesWith, withAddress } from './node-filters';

export const portgroups = plainApi('portgroup', {
  conditions,
  checkFields: (fields) => checkAddress(fields['address']),
  checkOperation,
  computed: (publicUrl, uuid) => ({ ports: linkPair(publicUrl, `portgroups/${uuid}/ports`) }),
});

function checkAddress(value: unknown): void {
  if (value === undefined || value === null || isMac(value)) return;
  throw badRequest(`Schema error for address: expected a MAC address but received ${JSON.stringify(value)}.`);
}

function checkOperation(operation: PatchOperation): void {
  checkRemoval(operation, ['mode', 'node_uuid']);
  if (operation.path === '/address') checkAddress(operation.value);
}

async function conditions(call: Call, given: readonly string[]): Promise<Condition[]> {
  if (given.length > 1) throw badRequest(`The filters ${given.join(' and ')} exclude each other.`);
  return Promise.all(given.map(async (name) => conditionOf(call, name, call.query.single(name) ?? '')));
}

async function conditionOf(call: Call, name: string, value: string): Promise<Condition> {
  switch (name) {
    case 'node':
      return ofNode(call, value);
    case 'address':
      return withAddress(value);
    case 'shard':
      return ofNodesWith(call, 'shard', value);
    default:
      return ofNodesWith(call, 'conductor_group', value);
  }
}
