export { addFleetCommand } from './command';
