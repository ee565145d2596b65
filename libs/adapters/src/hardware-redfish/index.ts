export { redfishActs } from './redfish-acts';
export { BmcConnections } from './connections';
export { redfishInspect } from './inspect';
export type { AuthType, RedfishOptions } from './options';
export { redfishMediaBoot } from './media-boot';
export type { MediaBootSettings } from './media-boot';
export { redfishManagement } from './redfish-management';
export { redfishPower } from './redfish-power';
