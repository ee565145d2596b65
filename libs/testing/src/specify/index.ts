export * from './specify';
