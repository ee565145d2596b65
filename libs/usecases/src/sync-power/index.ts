/** Machines are looked at without being asked: what their power shows is recorded, or put right. */
export { fits, hostOf } from './place';
export type { Placed } from './place';
export { PowerSync } from './power-sync';
export type { PowerSyncDeps, PowerSyncOptions } from './power-sync';
