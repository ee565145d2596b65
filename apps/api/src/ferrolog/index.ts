export * from './deadline';
export * from './events';
export * from './node-paths';
export * from './ready';
export * from './refused';
