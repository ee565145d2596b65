export * from './answer';
export * from './look-up-node';
