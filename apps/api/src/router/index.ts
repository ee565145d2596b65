export * from './path-tree';
export * from './router';
