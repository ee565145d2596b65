export * from './deadline';
export * from './events';
export * from './ready';
