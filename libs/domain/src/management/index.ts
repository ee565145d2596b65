export * from './acts';
export * from './managed-state';
export * from './parts';
export * from './raid';
