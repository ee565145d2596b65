/**
 * The event log in memory: the semantics of the stored ones without their disk. Stands in for them in tests, the
 * simulation and throw-away stacks. Several openers share one `MemoryStore`, as processes share a database.
 */
export { MemoryStore } from './memory-store';
export { openMemoryLog, type MemoryLog, type MemoryLogOptions } from './open-memory-log';
