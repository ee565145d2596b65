export * from './negotiate';
export * from './gates';
