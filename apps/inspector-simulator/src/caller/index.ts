import { AsyncLocalStorage } from 'node:async_hooks';
import type { Callers } from '@lib/usecases/simulated-inspector';

const tokens = new AsyncLocalStorage<string | null>();

/** Token of whoever asked for what runs now, also behind the answer; null: nobody did, or without one. */
export const tokenOfCaller = (): string | null => tokens.getStore() ?? null;

/** Runs this, and all that it starts, on behalf of the owner of the token. */
export const withToken = <T>(token: string | null, job: () => T): T => tokens.run(token, job);

export const callersByToken: Callers<string> = { current: tokenOfCaller, as: withToken };
