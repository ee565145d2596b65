export { aMessageBus, type BusSite } from './message-bus-suite';
export { patternOf, sameBytes } from './bodies';
