export * from './options';
export * from './plan-ports';
export * from './process-data';
