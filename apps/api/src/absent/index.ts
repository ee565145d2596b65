export * from './collections';
export * from './network-events';
