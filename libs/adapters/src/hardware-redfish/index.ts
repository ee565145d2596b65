export { redfishActs } from './redfish-acts';
export { BmcConnections } from './connections';
export { redfishInspect } from './inspect';
export type { AuthType, RedfishOptions } from './options';
export { redfishManagement } from './redfish-management';
export { redfishPower } from './redfish-power';
