export { vifHandlers } from './vifs';
