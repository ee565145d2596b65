export { partsHandlers } from './parts';
