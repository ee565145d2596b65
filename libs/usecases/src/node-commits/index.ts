export * from './node-commits';
export * from './signals';
