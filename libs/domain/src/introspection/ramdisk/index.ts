export * from './body';
export * from './boot-file';
export * from './collectors';
export * from './dice';
export * from './machine-facts';
export * from './payload';
export * from './script';
