export * from './negotiate';
