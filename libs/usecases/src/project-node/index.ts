export * from './document';
export * from './history';
export * from './project-node';
export * from './times';
