/** A Redfish service of our own, with faults to order (contract: redfish.md §6). */
export { selfSigned } from './certificate';
export type { Fault, FaultRule } from './faults';
export { aMachine } from './machine';
export type * from './machine';
export { bmcAccount, RedfishBmc, type BmcOptions, type Logged } from './server';
export type { Account, BmcAuth } from './sessions';
