/** Ironic's versioned notifications as they are said: names, levels, payload classes, envelope (contract: notifications.md). */
export { eventTypeOf, notificationBody } from './envelope';
export type { Notification, Sending } from './envelope';
export { isSentAt, notificationLevels } from './levels';
export type { NotificationLevel } from './levels';
export { payloadClasses, payloadOf } from './payloads';
export type { PayloadClassName } from './payloads';
export { toldKinds } from './words';
export type { NodeAction, NotificationService, NotificationStatus, ToldKind } from './words';
