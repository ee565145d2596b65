export * from './choose';
export * from './inspect-facts';
export * from './types';
export * from './kernel-parameters';
