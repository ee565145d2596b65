export * from './nodes';
export { MemoryCertificates } from './certificates';
export { MemoryLogShelf } from './log-shelf';
export { conductorOptions, interfaces, limits, policy } from './options';
export { Script, type Asked, type Held, type Word } from './script';
export { PREFIX, World, type LogRecord, type Sent } from './world';
export { MASTER_KEY, openConductor, type ConductorPlace, type ConductorSetup, type WorldConductor } from './conductor';
