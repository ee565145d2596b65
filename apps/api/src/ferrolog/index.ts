export * from './events';
export * from './ready';
