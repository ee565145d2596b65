export { startScheduler } from '@app/scheduler';
