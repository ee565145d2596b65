export * from './drivers';
