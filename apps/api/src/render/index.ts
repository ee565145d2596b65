export * from './document';
export * from './links';
export * from './node';
export * from './node-texts';
export * from './time';
