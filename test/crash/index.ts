/** The crash test: kill -9 of services and broker while machines are inspected, and a referee over what is left. */
export { Campaign, describeOutcome, seedsFrom, summary, type CampaignOptions } from './campaign';
export type { RoundSize } from './plan';
export type { Outcome } from './round';
export { DATABASES, type Database } from './site';
