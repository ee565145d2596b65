export * from './history';
export * from './inventory';
