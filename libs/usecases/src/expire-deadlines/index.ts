export { DeadlineScheduler } from './deadline-scheduler';
export type { DeadlineSchedulerDeps } from './deadline-scheduler';
