import { NOTIFICATION_TOPICS_MAX } from '@lib/contracts';

/**
 * Messages have numbers that rise with the log, so that the last message of the stream says where to go on: behind the event
 * and the message that it names. How many an event has does not depend on the settings of the day, which only leave some out.
 */
const PER_EVENT_MAX = 16;

/** Numbers that one event may use. 2^53 of them are enough for 7 * 10^13 events. */
export const NUMBERS_PER_EVENT = PER_EVENT_MAX * NOTIFICATION_TOPICS_MAX;

/** Of the nth notification of an event, for the nth topic. */
export function numberOf(position: number, nth: number, topic: number): number {
  if (nth >= PER_EVENT_MAX || topic >= NOTIFICATION_TOPICS_MAX)
    throw new RangeError(`no number for ${nth} of topic ${topic}`);
  return position * NUMBERS_PER_EVENT + nth * NOTIFICATION_TOPICS_MAX + topic;
}

export const positionOf = (number: number): number => Math.floor(number / NUMBERS_PER_EVENT);
