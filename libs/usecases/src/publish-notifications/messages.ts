import { isSentAt, notificationBody, subjects } from '@lib/contracts';
import type { Notification, NotificationLevel } from '@lib/contracts';
import type { EventMeta, PublishedEvent, RecordedEvent } from '@lib/ports';
import { PUBLISHED_BYTES_MAX } from '../publish-events';
import { numberOf } from './numbers';
import { nameUuid } from '../name-uuid';

export interface Outlet {
  readonly logId: string;
  readonly prefix: string;
  readonly topics: readonly string[];
  readonly least: NotificationLevel;
}

const utf8 = new TextEncoder();

/** The messages of an event's notifications: one for each topic and each notification of the level or above, in order. */
export function messagesOf(
  event: RecordedEvent,
  notifications: readonly Notification[],
  outlet: Outlet,
): readonly PublishedEvent[] {
  return notifications.flatMap((told, nth) =>
    isSentAt(told.level, outlet.least)
      ? outlet.topics.map((topic, index) => ({
          position: numberOf(event.position, nth, index),
          subject: subjects.notification(outlet.prefix, topic, told.level),
          body: bodyOf(event, told, nth, outlet.logId),
        }))
      : [],
  );
}

function bodyOf(event: RecordedEvent, told: Notification, nth: number, logId: string): Uint8Array {
  const { source, at } = JSON.parse(event.meta) as EventMeta;
  const sending = {
    messageId: messageIdOf(`${logId}/${event.position}/${nth}`),
    host: hostOf(source),
    timestamp: stamp(at),
  };
  const body = utf8.encode(JSON.stringify(notificationBody(told, sending)));
  if (body.length < PUBLISHED_BYTES_MAX) return body;
  return utf8.encode(JSON.stringify(notificationBody({ ...told, data: shortened(told.data) }, sending)));
}

/** `conductor/<host>` decided; the host is that of whoever is named as the publisher. */
const hostOf = (source: string): string => source.slice(source.indexOf('/') + 1);

const LONG_CHARS = 4096;

/** What makes a message too large for the broker is left out of it; the api has it. */
const shortened = (data: Notification['data']): Notification['data'] =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, JSON.stringify(value).length > LONG_CHARS ? null : value]),
  );

/** `2026-11-30 09:12:42.354000` */
const stamp = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '000');

/** The same notification has the same id, so that whoever gets it twice knows. */
const messageIdOf = (name: string): string => nameUuid(`notification/${name}`);
