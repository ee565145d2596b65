export { addEventsCommand } from './command';
export { eventLines } from './render';
