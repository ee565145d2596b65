export * from './a-node';
export * from './chance';
export * from './commands';
export * from './laws';
export * from './rules';
export * from './stories';
