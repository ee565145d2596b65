export * from './commands';
export * from './keyed-request';
export * from './replies';
export * from './inspector';
export * from './deadline';
export * from './codec';
export * from './readiness';
