export * from './document';
export * from './links';
export * from './node';
export * from './texts';
export * from './time';
