export * from './provision';
