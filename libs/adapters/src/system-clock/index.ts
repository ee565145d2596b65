export { systemChance } from './system-chance';
export { systemClock } from './system-clock';
