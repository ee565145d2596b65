export * from './a-node';
export * from './commands';
export * from './rules';
export * from './stories';
