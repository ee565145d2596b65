import type { Effect } from './effects';

/** Epoch ms, the command's own time. */
export type At = number;

/** A deadline as written into the event that enters a waiting state. */
export interface DeadlineSpec {
  readonly n: number;
  readonly due: At;
}

/** How work was interrupted: its conductor was started again, or another one found that it had gone. */
export type Interruption = 'restart' | 'takeover';

/** What an ending leaves to be done: power off and the like, in order. */
export type CleanUp = readonly Effect[];

/** What is kept of the ramdisk's agent (contract: other-resources.md §4). */
export interface ToldAgent {
  readonly url: string;
  readonly version: string | null;
  /** Absent where the agent never spoke of it. */
  readonly status?: string;
  readonly statusMessage?: string;
  /** Path of the certificates to check the agent's against. */
  readonly verifyCa?: string;
}
