export * from './field';
export * from './node';
export * from './port';
export * from './read-only';
export * from './documents';
export * from './endpoints';
export * from './versions';
