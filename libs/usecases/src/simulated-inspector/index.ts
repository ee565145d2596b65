/** An ironic-inspector with its ramdisks, playable over REST, over the bus, or in one process with everything else. */
export { answerOf, errorBody } from './answers';
export * from './bare-metal-api';
export { type RetryOptions, withRetries } from './retries';
export type { RequestLogEntry } from './request-log';
export { type DocumentChanges, type DocumentShelf, KeptDocuments } from './kept-documents';
export {
  type BootedMachines,
  type Callers,
  type InspectorMemory,
  inspectorMemoryFrom,
  type InspectorOptions,
  type InspectorParts,
} from './room';
export { serveInspectorOnBus } from './serve-on-bus';
export { type ListQuery, NoAnswer, SimulatedInspector, type Via } from './simulated-inspector';
export type { StartOptions } from './start';
