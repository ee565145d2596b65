export { plainHandlers } from './routes';
