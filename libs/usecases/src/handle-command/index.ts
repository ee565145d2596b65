export { CommandHandler } from './command-handler';
export type { ConductorOptions, HandlerDeps } from './deps';
export { inspectFactsOf } from './drive-node';
