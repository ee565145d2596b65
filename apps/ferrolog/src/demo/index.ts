export { addDemoCommand } from './command';
