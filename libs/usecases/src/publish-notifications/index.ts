/** Publishes Ironic's versioned notifications from the log: by position, after commit, in order (ADR 9). */
export { NotificationPublisher, type NotificationPublisherDeps } from './notification-publisher';
export { Translator } from './translate';
