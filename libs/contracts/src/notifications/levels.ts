/** From the least to the most urgent (contract: notifications.md, first paragraph). */
export const notificationLevels = ['debug', 'info', 'warning', 'error', 'critical'] as const;

export type NotificationLevel = (typeof notificationLevels)[number];

/** Whether something of a level goes out when `least` is the lowest that does. */
export const isSentAt = (level: NotificationLevel, least: NotificationLevel): boolean =>
  notificationLevels.indexOf(level) >= notificationLevels.indexOf(least);
