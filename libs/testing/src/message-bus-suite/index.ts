export { type BusSite } from './bench';
export { aMessageBus } from './message-bus-suite';
export { patternOf, sameBytes } from './bodies';
