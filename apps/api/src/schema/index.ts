export * from './network-data';
export * from './patch';
export * from './steps';
export * from './values';
