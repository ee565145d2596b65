export * from './events';
export * from './messages';
export * from './notifications';
export * from './subjects';
export * from './resources';
export * from './settings';
