/** Histories by chance: what the dice of a property make of a node. */
export * from './command';
export * from './policy';
export { facts, type Throw } from './throws';
