export * from './answer';
export * from './body';
export * from './body-limits';
export * from './call';
export * from './public-url';
export * from './query';
export * from './reason';
