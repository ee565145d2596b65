import { existsSync } from 'node:fs';
import { openSqliteReader, sqlitePath } from '@lib/adapters/event-log-typeorm';
import { documentSchemas } from '@lib/contracts';
import { nodeStreamId } from '@lib/usecases/node-streams';
import { type ShownEvent, shownEvent } from './shown-event';

const PAGE = 1000;

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

/**
 * All events of a node from the log under a home, of a stack that runs or does not. `ident` is a name of a node that
 * exists, or a UUID, also of one that was removed.
 * @throws Error with a sentence: no log there, no such node
 */
export async function eventsFromHome(home: string, ident: string): Promise<readonly ShownEvent[]> {
  const path = sqlitePath(home);
  if (!existsSync(path)) throw new Error(`There is no event log under ${home}.`);
  const store = await openSqliteReader({ path, schemas: documentSchemas, waitMs: 0 });
  try {
    const [stream = nodeStreamId(ident.toLowerCase())] = (await store.readModel.owners('node.name', [ident])).values();
    const pages: EventPages = {
      events: async (_ident, after, limit) => (await store.reader.readStream(stream, after, limit)).map(shownEvent),
    };
    const events = await allEvents(pages, ident);
    if (events.length === 0) throw new Error(`Node ${ident} is not in the log under ${home}.`);
    return events;
  } finally {
    await store.close();
  }
}
