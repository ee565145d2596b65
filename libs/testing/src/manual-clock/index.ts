export { ManualClock } from './manual-clock';
