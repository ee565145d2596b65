/** Where the events of a node are read that a command shows: a running server, or the log itself. */
export { addSourceOptions, openSource, type SourceOptions } from './event-source';
