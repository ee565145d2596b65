export { JetStreamEventStream, type JetStreamEventStreamOptions } from './jetstream-event-stream';
export { messageId, parseMessageId } from './message-id';
