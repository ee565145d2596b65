export * from './network-events';
