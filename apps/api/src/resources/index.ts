export { runbooks } from './others';
export { plainHandlers } from './routes';
