export * from './pages-ahead';
