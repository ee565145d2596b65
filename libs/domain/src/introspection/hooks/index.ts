export * from './capabilities';
export * from './interfaces';
export * from './options';
export * from './ports';
export * from './processing';
export * from './root-disk';
