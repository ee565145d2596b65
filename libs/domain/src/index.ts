export * from './hardware';
export * from './node';
export * from './port';
export * from './refusal';
export * from './resource';
export * from './secrets';
export * from './states';
