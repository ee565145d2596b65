export { startScheduler } from './start-scheduler';
export type { Scheduler } from './start-scheduler';
