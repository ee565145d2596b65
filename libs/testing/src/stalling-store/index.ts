/** A store that stops between write and sync, three times: as a port, in front of PostgreSQL, and under SQLite. */
export { HoldingProxy, type Held } from './holding-proxy';
export { stallingLog, type StallingLog } from './stalling-log';
export { compilerPath, SyncStall } from './sync-stall';
