import { LogUnavailable } from '@lib/ports';

/** The store broke off while it committed: a key that seals what was to be stored must stay, or the secrets are lost with it. */
export const mayBeStored = (error: unknown): boolean => error instanceof LogUnavailable && error.outcomeUnknown;
