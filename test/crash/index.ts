/** The crash test: kill -9 of services and broker while machines are inspected, and a referee over what is left. */
export { describeOutcome, playCampaign, seedsFrom, summary, type Campaign } from './campaign';
export type { RoundSize } from './plan';
export type { Outcome } from './round';
export { DATABASES, type Database } from './site';
