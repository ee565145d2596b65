/** The services in one process on a manual clock, spoken to by HTTP: for specs about what clients see as time passes. */
export { Client, NEWEST, payload, type MachineOptions, type Seen, type ShownEvent } from './client';
export { type Values } from './settings';
export { inMemory, inPostgres, inSqlite, type OpenStore } from './store';
export { PREFIX, Whole, type RunningConductor, type WholeOptions } from './whole';
