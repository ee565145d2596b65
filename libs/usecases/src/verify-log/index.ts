/** Whether the log is whole, and everything beside it what its events say. */
export type { Difference, Subject } from './difference';
export * from './verify-log';
