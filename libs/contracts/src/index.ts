export * from './events';
export * from './messages';
export * from './subjects';
export * from './resources';
export * from './settings';
