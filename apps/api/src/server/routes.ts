/** Every path of /v1 and who answers it. Versions stand in the contract's table, not here. */
import { allocationHandlers } from '../allocations';
import { listConductors, showConductor } from '../conductors';
import { driverVendorHandlers, listDrivers, showDriver, showDriverProperties, showRaidProperties } from '../drivers';
import { badRequest, notFound } from '../faults';
import { listHistory, showHistory, showInventory } from '../history';
import { managementHandlers } from '../management';
import { takeNetworkEvents } from '../network-events';
import * as nodes from '../nodes';
import { partsHandlers } from '../parts';
import { provision } from '../provision';
import { continueInspection, heartbeat, lookUp } from '../ramdisk';
import { plainHandlers } from '../resources';
import { refusal, Router, type Handlers, type Rules } from '../router';
import { traitsHandlers } from '../traits';
import { vifHandlers } from '../vifs';

const malformed = refusal(() => {
  throw badRequest('Malformed request URI.');
});

const missingIdent = refusal(() => {
  throw badRequest('The resource to change must be named in the path.');
});

const unknownPart = refusal(() => {
  throw notFound('The requested part of the resource could not be found.');
});

const nodeHandlers: Handlers = {
  'GET nodes': nodes.listNodes,
  'POST nodes': nodes.createNode,
  'PATCH nodes': missingIdent,
  'DELETE nodes': missingIdent,
  'GET nodes/detail': nodes.listNodesInDetail,
  'GET nodes/validate': nodes.validateNode,
  'GET nodes/{ident}': nodes.showNode,
  'PATCH nodes/{ident}': nodes.patchNode,
  'DELETE nodes/{ident}': nodes.removeNode,
  'POST nodes/{ident}': malformed,
  'GET nodes/{ident}/{garbage}': refusal(nodes.refuseFieldSegment),
  'POST nodes/{ident}/{garbage}': malformed,
  'PATCH nodes/{ident}/{garbage}': unknownPart,
  'DELETE nodes/{ident}/{garbage}': unknownPart,
  'GET nodes/{ident}/validate': nodes.validateNode,
  'PUT nodes/{ident}/maintenance': nodes.setMaintenance,
  'DELETE nodes/{ident}/maintenance': nodes.clearMaintenance,
  'GET nodes/{ident}/states': nodes.showStates,
  'GET nodes/{ident}/states/{garbage}': unknownPart,
  'PUT nodes/{ident}/states/provision': provision,
  'PUT nodes/{ident}/states/power': nodes.changePower,
  'GET nodes/{ident}/management/boot_device': nodes.showBootDevice,
  'PUT nodes/{ident}/management/boot_device': nodes.setBootDevice,
  'GET nodes/{ident}/management/boot_device/supported': nodes.listBootDevices,
  'GET nodes/{ident}/volume': nodes.showVolume,
  'GET nodes/{ident}/children': nodes.listChildren,
  'GET nodes/{ident}/history': listHistory,
  'GET nodes/{ident}/history/{uuid}': showHistory,
  'GET nodes/{ident}/inventory': showInventory,
  'GET nodes/{ident}/inventory/{garbage}': unknownPart,
  'GET shards': nodes.listShards,
};

const otherHandlers: Handlers = {
  'GET drivers': listDrivers,
  'GET drivers/properties': showDriverProperties,
  'GET drivers/{name}': showDriver,
  'GET drivers/{name}/properties': showDriverProperties,
  'GET drivers/{name}/raid/logical_disk_properties': showRaidProperties,
  ...driverVendorHandlers,
  'GET conductors': listConductors,
  'GET conductors/{hostname}': showConductor,
  'POST events': takeNetworkEvents,
  'GET lookup': lookUp,
  'POST heartbeat/{ident}': heartbeat,
  'POST continue_inspection': continueInspection,
};

const rules: Rules = {
  without: ['nodes/{ident}/management'],
  ownGate: ['lookup', 'heartbeat/{ident}', 'continue_inspection'],
  checkParams: (pattern, params, minor) => {
    if (pattern.startsWith('nodes/{ident}')) nodes.checkIdent(params['ident'] ?? '', minor);
  },
  // Below `states` the contract's router knows the document itself for every method but GET.
  allowShown: (pattern, method) =>
    pattern.startsWith('nodes/{ident}/states/') && method !== 'GET' ? ['GET'] : undefined,
};

export const routes = new Router(
  {
    ...nodeHandlers,
    ...managementHandlers,
    ...partsHandlers,
    ...plainHandlers,
    ...traitsHandlers,
    ...vifHandlers,
    ...allocationHandlers,
    ...otherHandlers,
  },
  rules,
);
