export { addReplayCommand } from './command';
