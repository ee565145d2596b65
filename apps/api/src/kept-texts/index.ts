export * from './kept-texts';
