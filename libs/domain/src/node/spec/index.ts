export * from './a-node';
