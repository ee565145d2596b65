export * from './change';
export * from './list';
