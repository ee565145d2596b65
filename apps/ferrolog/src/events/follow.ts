import { setTimeout as pause } from 'node:timers/promises';
import { LogUnavailable } from '@lib/ports';
import { ApiFault, NoAnswer } from '../bare-metal';
import { allEvents, type EventPages, type ShownEvent } from '../node-events';

export interface FollowOptions {
  readonly source: EventPages;
  readonly node: string;
  /** Version of the last event that is known. */
  readonly after: number;
  readonly stop: Promise<void>;
  readonly say: (line: string) => void;
  readonly periodMs?: number;
}

const PERIOD_MS = 500;

/** Hands on what is appended until `stop`; a server that is away is asked again, and that is said once. */
export async function follow(options: FollowOptions, show: (events: readonly ShownEvent[]) => void): Promise<void> {
  const { source, node, say, periodMs = PERIOD_MS } = options;
  let { after } = options;
  let away = false;
  const stopped = options.stop.then(() => true);
  for (;;) {
    if (await Promise.race([stopped, pause(periodMs, false)])) return;
    try {
      const more = await allEvents(source, node, after);
      if (away) say('There is an answer again.');
      away = false;
      if (more.length > 0) show(more);
      after = more.at(-1)?.version ?? after;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!away) say(`${(error as Error).message}; asking again`);
      away = true;
    }
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof NoAnswer || error instanceof LogUnavailable || (error instanceof ApiFault && error.status === 503);
