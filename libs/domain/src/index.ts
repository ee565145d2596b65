export * from './hardware';
export * from './node';
export * from './refusal';
export * from './resource';
export * from './secrets';
export * from './states';
