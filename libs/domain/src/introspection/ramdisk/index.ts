export * from './boot-file';
export * from './dice';
export * from './payload';
export * from './script';
