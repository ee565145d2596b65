/** Every path of the plain resources. */
import { badRequest, notFound } from '../faults';
import { empty, ok, type Answer, type Call } from '../http';
import { listNodesOf, volumeLinks } from '../nodes';
import { findResource, listResources, listResourcesInDetail, nodeRoutes, plainRoutes, type Part } from '../plain';
import { refusal, type Handlers } from '../router';
import { chassis, deployTemplates, inspectionRules, runbooks, volumeConnectors, volumeTargets } from './others';
import { ports } from './port';
import { portgroups } from './portgroup';

async function portsOfGroup(call: Call): Promise<Part> {
  const { uuid } = await findResource(portgroups, call);
  return {
    path: `portgroups/${uuid}/ports`,
    where: [{ column: 'portgroup_uuid', is: 'equal', value: uuid }],
    filters: [],
  };
}

async function nodesOfChassis(call: Call, detail: boolean): Promise<Answer> {
  const { uuid } = await findResource(chassis, call);
  return listNodesOf(call, `chassis/${uuid}/nodes`, [{ column: 'chassis_uuid', is: 'equal', value: uuid }], detail);
}

const RULES_PER_READ = 1_000;

/** One after the other: each removal is a command of its own, and a rule that is gone meanwhile is gone. */
async function removeAllRules(call: Call): Promise<Answer> {
  call.query.only([]);
  const { readModel, commands } = call.services;
  const sort = { column: 'seq', descending: false };
  const stored = await readModel.list({ kind: 'inspection_rule', where: [], sort, limit: RULES_PER_READ });
  for (const { id: uuid } of stored ?? []) {
    await commands.send({ type: 'RemoveResource', kind: 'inspection_rule', uuid, nodeUuid: null }, call.requestId);
  }
  return (stored ?? []).length < RULES_PER_READ ? empty(204) : removeAllRules(call);
}

export const plainHandlers: Handlers = {
  ...plainRoutes(ports, 'ident'),
  ...nodeRoutes(ports),
  ...plainRoutes(portgroups, 'ident'),
  ...nodeRoutes(portgroups),
  'GET portgroups/{ident}/ports': async (call) => listResources(ports, call, await portsOfGroup(call)),
  'GET portgroups/{ident}/ports/detail': async (call) => listResourcesInDetail(ports, call, await portsOfGroup(call)),
  ...plainRoutes(chassis, 'uuid'),
  'GET chassis/{uuid}/nodes': (call) => nodesOfChassis(call, false),
  'GET chassis/{uuid}/nodes/detail': (call) => nodesOfChassis(call, true),
  'GET chassis/nodes': refusal(() => {
    throw badRequest('Expected a UUID of a chassis but received nodes.');
  }),
  ...plainRoutes(deployTemplates, 'ident'),
  ...plainRoutes(runbooks, 'ident'),
  'GET volume': (call) => ok(volumeLinks(call.publicUrl, 'volume')),
  ...plainRoutes(volumeConnectors, 'uuid'),
  ...plainRoutes(volumeTargets, 'uuid'),
  ...nodeRoutes(volumeConnectors),
  ...nodeRoutes(volumeTargets),
  ...plainRoutes(inspectionRules, 'uuid'),
  'DELETE inspection_rules': removeAllRules,
  'GET inspection_rules/{uuid}/{garbage}': refusal(() => {
    throw notFound('The requested part of the resource could not be found.');
  }),
};
