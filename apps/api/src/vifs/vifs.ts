/**
 * Virtual interfaces of a node. Every node has the `noop` network interface, which accepts what is attached and detached
 * and lists nothing. contract: node-api.md §16
 */
import { since } from '@lib/contracts';
import { badRequest } from '../faults';
import { empty, objectBody, ok, type Answer, type Call } from '../http';
import { findNode, isLogicalName, isUuidLike } from '../nodes';
import type { Handlers } from '../router';

async function list(call: Call): Promise<Answer> {
  call.query.only([]);
  await findNode(call);
  return ok({ vifs: [] });
}

async function attach(call: Call): Promise<Answer> {
  call.query.only([]);
  await findNode(call);
  const body = objectBody(call);
  checkId(body['id']);
  if (call.minor >= since.vifPort && body['port_uuid'] && body['portgroup_uuid'])
    throw badRequest('port_uuid and portgroup_uuid of a VIF exclude each other.');
  return empty(204);
}

async function detach(call: Call): Promise<Answer> {
  call.query.only([]);
  await findNode(call);
  checkId(call.params['vif']);
  return empty(204);
}

function checkId(id: unknown): void {
  if (typeof id === 'string' && (isUuidLike(id) || isLogicalName(id))) return;
  throw badRequest(`Schema error for id: expected a UUID or name of a VIF but received ${JSON.stringify(id)}.`);
}

export const vifHandlers: Handlers = {
  'GET nodes/{ident}/vifs': list,
  'POST nodes/{ident}/vifs': attach,
  'DELETE nodes/{ident}/vifs/{vif}': detach,
};
