/** Conditional requests: entity tags, and what a request is to be held to. */
export { underConditions } from './under-conditions';
