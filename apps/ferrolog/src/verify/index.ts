export { addVerifyCommand } from './command';
