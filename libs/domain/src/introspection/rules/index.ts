export * from './actions';
export * from './conditions';
export * from './rule';
