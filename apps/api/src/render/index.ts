export * from './document';
export * from './links';
export * from './node';
export * from './port';
export * from './time';
