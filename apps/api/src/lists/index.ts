export * from './page';
export * from './selection';
