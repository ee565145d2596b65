/**
 * POST /v1/nodes: the checks that need no conductor, in the contract's order; the conductor does the rest.
 * contract: node-api.md §3
 */
import { nodeFields, since } from '@lib/contracts';
import { ownInspectionProblem } from '@lib/domain';
import { badRequest } from '../faults';
import { created, objectBody, type Answer, type Call, type JsonObject } from '../http';
import { checkCreation, checkFieldVersions, checkNetworkData } from '../schema';
import { checkEnrollmentMode } from './boot-modes';
import { checkChassis, checkHost } from './checks';
import { readNode, referredNode } from './find';
import { checkNewName } from './idents';
import { renderWhole } from './show';

export async function createNode(call: Call): Promise<Answer> {
  call.query.only([]);
  const { commands, chance } = call.services;
  const { uuid = chance.uuid(), ...fields } = await checkedFields(call, objectBody(call));
  const initialState = call.minor >= since.createInEnroll ? 'enroll' : 'available';
  const command = { type: 'CreateNode', uuid: String(uuid), fields, initialState } as const;
  await commands.send(command, call.requestId);
  const stored = await readNode(call, command.uuid);
  return created(await renderWhole(call, stored), `${call.publicUrl}/v1/nodes/${command.uuid}`);
}

async function checkedFields(call: Call, body: JsonObject): Promise<Record<string, unknown>> {
  const fields = checkCreation('node', nodeFields, body.uuid === null ? without(body, 'uuid') : body);
  checkEnrollmentMode(fields['properties'], call.services.settings);
  checkFieldVersions(nodeFields, fields, call.minor);
  if (fields['conductor_group'] === '') delete fields['conductor_group'];
  if (fields['name'] !== undefined) checkNewName(String(fields['name']), call.minor);
  // Without a project of the caller nobody may say whose the node is; PATCH can.
  if (typeof fields['owner'] === 'string' && fields['owner'] !== '')
    throw badRequest('The owner of a node cannot be set at its creation here: set it with PATCH.');
  checkContents(fields);
  await checkChassis(call, fields['chassis_uuid']);
  if (fields['parent_node'] !== undefined) fields['parent_node'] = await parentOf(call, String(fields['parent_node']));
  await checkHost(call, String(fields['driver']), fields['conductor_group']);
  return fields;
}

const without = ({ ...body }: Record<string, unknown>, key: string): JsonObject => {
  delete body[key];
  return body;
};

function checkContents(fields: JsonObject): void {
  const problem = ownInspectionProblem((fields['driver_info'] ?? {}) as JsonObject);
  if (problem !== null) throw badRequest(problem);
  const network = fields['network_data'];
  if (network !== undefined && Object.keys(network as object).length > 0) checkNetworkData(network);
}

/** Unknown, hidden and foreign parents are told apart by nobody: one text. */
async function parentOf(call: Call, ident: string): Promise<string> {
  const { uuid, document } = await referredNode(call, ident, 'The parent node');
  if ((document['owner'] ?? null) !== null) throw badRequest(`The parent node ${ident} could not be found.`);
  return uuid;
}
