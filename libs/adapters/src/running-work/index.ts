export { RunningWork } from './running-work';
