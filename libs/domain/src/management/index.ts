export * from './acts';
export * from './managed-state';
export * from './raid';
