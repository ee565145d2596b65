export { allocationHandlers } from './routes';
