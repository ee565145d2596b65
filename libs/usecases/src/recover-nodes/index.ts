export * from './recover-nodes';
