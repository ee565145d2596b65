export { MemoryEventStreamBroker, type StoredMessage } from './memory-event-stream';
