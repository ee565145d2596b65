export { addRebuildCommand } from './command';
