export * from './choose';
export * from './extend';
export * from './inspect-facts';
export * from './types';
export * from './kernel-parameters';
