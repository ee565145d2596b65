export { eventMeanings } from './meanings';
export type { EventType, PlainResourceEventType } from './meanings';
export { isEventMessage } from './message';
export type { EventMessage } from './message';
