/** Nodes are looked at again and again, without being asked. */
export { NodeRound } from './node-round';
export type { Round } from './node-round';
