export * from './allocation-matcher';
