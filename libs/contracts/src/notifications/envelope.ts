import type { NotificationLevel } from './levels';
import { payloadClasses } from './payloads';
import type { PayloadClassName } from './payloads';
import type { NotificationService, NotificationStatus } from './words';

/** One notification before it has a number. */
export interface Notification {
  readonly object: string;
  readonly action: string;
  readonly status: NotificationStatus;
  readonly level: NotificationLevel;
  readonly service: NotificationService;
  readonly payload: PayloadClassName;
  /** The fields of the class. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Sending {
  /** UUID; the same for the same notification, however often it is made. */
  readonly messageId: string;
  readonly host: string;
  /** `2026-11-30 09:12:42.354633`, UTC. */
  readonly timestamp: string;
}

export const eventTypeOf = ({ object, action, status }: Pick<Notification, 'object' | 'action' | 'status'>): string =>
  `baremetal.${object}.${action}.${status}`;

/** The notification as it goes out (contract: notifications.md §1). */
export function notificationBody(told: Notification, { messageId, host, timestamp }: Sending): object {
  return {
    priority: told.level.toUpperCase(),
    event_type: eventTypeOf(told),
    publisher_id: `${told.service}.${host}`,
    timestamp,
    message_id: messageId,
    payload: {
      'ironic_object.name': told.payload,
      'ironic_object.namespace': 'ironic',
      'ironic_object.version': payloadClasses[told.payload].version,
      'ironic_object.data': told.data,
    },
  };
}
