export { NatsMessageBus, type NatsMessageBusOptions } from './nats-message-bus';
