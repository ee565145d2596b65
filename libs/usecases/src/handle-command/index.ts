export { CommandHandler } from './command-handler';
export type { ConductorOptions, HandlerDeps } from './deps';
export { inspectFactsOf, inspectionChecked } from './drive-node';
export { patchedFields } from './patch-node';
export { refuseForeignSealed, sealFields } from './seal';
