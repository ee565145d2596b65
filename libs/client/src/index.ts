export { subscribeEvents } from './subscribe-events';
export type { EventSubscription, SubscribeOptions } from './subscribe-events';
