export * from './accompanied';
export * from './sender';
