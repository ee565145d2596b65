export * from './choose';
export * from './inspect-facts';
export * from './types';
