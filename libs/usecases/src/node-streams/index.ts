export * from './known-events';
export * from './node-streams';
