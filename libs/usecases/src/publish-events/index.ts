/** Publishes the log to the event stream: by position, after commit, in order, without gaps (architecture, rule 6). */
export { EventPublisher, StreamAheadOfLog, type PublisherDeps } from './publisher';
export { PUBLISHED_BYTES_MAX, publishedEvent, stubOf } from './published-event';
