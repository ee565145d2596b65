import { notFound } from '../faults';
import { empty, jsonText, type Answer, type Call } from '../http';
import { fieldsArgument, fullSelection, namedSelection } from '../lists';
import { findNode } from '../nodes';
import { plainRoutes, readResource, resourceText } from '../plain';
import type { Handlers } from '../router';
import { allocations, createAllocation } from './allocations';

/** The allocation that a node belongs to; 404 where there is none (contract: node-api.md §23). */
async function ofNode(call: Call): Promise<string> {
  const { uuid, document } = await findNode(call);
  const allocation = document['allocation_uuid'];
  if (typeof allocation !== 'string') throw notFound(`Node ${uuid} has no allocation.`);
  return allocation;
}

async function showOfNode(call: Call): Promise<Answer> {
  call.query.only(['fields']);
  const { fields } = allocations.declared;
  const names = fieldsArgument(call, fields);
  const selection = names === undefined ? fullSelection(fields, call.minor) : namedSelection(fields, call.minor, names);
  const stored = await readResource(allocations, call, await ofNode(call));
  return jsonText(200, resourceText(allocations, stored, call, { selection }));
}

async function removeOfNode(call: Call): Promise<Answer> {
  call.query.only([]);
  const uuid = await ofNode(call);
  const command = { type: 'RemoveResource', kind: 'allocation', uuid, nodeUuid: null } as const;
  await call.services.commands.send(command, call.requestId);
  return empty(204);
}

export const allocationHandlers: Handlers = {
  ...plainRoutes(allocations, 'ident'),
  'POST allocations': createAllocation,
  'GET nodes/{ident}/allocation': showOfNode,
  'DELETE nodes/{ident}/allocation': removeOfNode,
};
