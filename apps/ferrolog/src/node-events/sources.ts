import { nodeStreamId } from '@lib/usecases/node-streams';
import type { LogPlace } from '../log-pass';
import { openReader } from '../services/store';
import { type ShownEvent, shownEvent } from './shown-event';

const PAGE = 1000;
const READY_WAIT_MS = 0;

export interface EventPages {
  events(ident: string, after: number, limit: number): Promise<readonly ShownEvent[]>;
}

/** All events of a node, oldest first. */
export async function allEvents(pages: EventPages, ident: string, after = 0): Promise<readonly ShownEvent[]> {
  const found: ShownEvent[] = [];
  for (;;) {
    const page = await pages.events(ident, found.at(-1)?.version ?? after, PAGE);
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** A log that is read without asking an api: of a stack that runs or does not. */
export type LogPages = EventPages & { close(): Promise<void> };

/**
 * Events of nodes from the log itself, read only. A node is named by the name of one that exists, or by a UUID, also of one
 * that was removed.
 * @throws Error with a sentence when the log cannot be read; from `events` when the node is not in it
 */
export async function openLogPages(place: Pick<LogPlace, 'home' | 'databaseUrl'>): Promise<LogPages> {
  const store = await openReader(place, READY_WAIT_MS);
  const { reader, readModel } = store;
  const where = place.databaseUrl === null ? `under ${place.home}` : 'in PostgreSQL';
  return {
    async events(ident, after, limit) {
      const [stream = nodeStreamId(ident.toLowerCase())] = (await readModel.owners('node.name', [ident])).values();
      const events = await reader.readStream(stream, after, limit);
      if (events.length === 0 && after === 0) throw new Error(`Node ${ident} is not in the log ${where}.`);
      return events.map(shownEvent);
    },
    close: () => store.close(),
  };
}
