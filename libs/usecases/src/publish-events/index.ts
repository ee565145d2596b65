/** Publishes the log to the event stream: by position, after commit, in order, without gaps (architecture, rule 6). */
export { EventPublisher, type PublisherDeps } from './publisher';
export { OutOfStep } from './out-of-step';
export { PublishingLoop } from './publishing-loop';
export { PUBLISHED_BYTES_MAX, publishedEvent, stubOf } from './published-event';
export { StreamAheadOfLog, cursorOf, type Cursor } from './starting-point';
