export * from './board';
export * from './list';
