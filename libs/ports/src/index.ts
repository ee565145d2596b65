export * from './clock';
export * from './event-hash';
export * from './event-log';
export * from './event-stream';
export * from './message-bus';
export * from './read-model';
export * from './secrets';
export * from './logger';
