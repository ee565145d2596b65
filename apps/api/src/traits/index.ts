export { traitsHandlers } from './traits';
