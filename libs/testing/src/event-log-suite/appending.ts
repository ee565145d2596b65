import { FIRST_PREV_HASH, eventHash } from '@lib/ports';
import type { Append, AppendResult, Change, EventLog, Expected, RecordedEvent, StreamWrite } from '@lib/ports';

let commands = 0;

/** An append with one event per named stream, and all else as given. */
export function appending(
  streams: Readonly<Record<string, Expected>>,
  rest: Partial<Omit<Append, 'meta'>> & { commandId?: string; type?: string; data?: unknown; removes?: boolean } = {},
): Append {
  const { commandId = `command-${process.pid}-${++commands}`, type = 'Changed', data = {}, removes, ...append } = rest;
  const writes = Object.entries(streams).map(([stream, expected]): StreamWrite => ({
    stream,
    expected,
    events: [{ type, schema: 1, data }],
    removes,
  }));
  const meta = { commandId, requestId: 'req-1', actor: null, source: 'suite', at: 7, causation: null };
  return { writes, changes: [], meta, ...append };
}

/** What a node's event derives: its document and, with a name, nothing else. */
export function nodeChanges(
  id: string,
  version: number,
  columns: Partial<Record<string, string | number | boolean | null>>,
) {
  const put: Change = {
    change: 'put',
    kind: 'node',
    id,
    version,
    json: JSON.stringify({ id, version }),
    columns: columns as Record<string, string | number | boolean | null>,
  };
  return [put];
}

export const named = (owner: string, value: string, index = 'node name'): Change => ({
  change: 'claim',
  index,
  value,
  owner,
});

export const freed = (owner: string, value: string, index = 'node name'): Change => ({
  change: 'release',
  index,
  value,
  owner,
});

/** The events of an append that has to win. */
export function won(result: AppendResult): readonly RecordedEvent[] {
  if (!result.ok) throw new Error(`lost: ${JSON.stringify(result.conflict)}`);
  return result.events;
}

/** The conflict of an append that has to lose. */
export function lost(result: AppendResult) {
  if (result.ok) throw new Error(`won: ${JSON.stringify(result.events)}`);
  return result.conflict;
}

export async function appendAll(log: EventLog, appends: readonly Append[]): Promise<AppendResult[]> {
  return Promise.all(appends.map((append) => log.append(append)));
}

export async function wholeLog(log: Pick<EventLog, 'readAll'>): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await log.readAll(events.length, 500);
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** Positions and versions without gaps, each hash over its bytes and its predecessor, time never going back. */
export async function expectIntactChains(log: Pick<EventLog, 'readAll'>): Promise<RecordedEvent[]> {
  const events = await wholeLog(log);
  const heads = new Map<string, RecordedEvent>();
  events.forEach((event, i) => {
    const before = heads.get(event.stream);
    expect(event).toMatchObject({
      position: i + 1,
      version: (before?.version ?? 0) + 1,
      prevHash: before?.hash ?? FIRST_PREV_HASH,
      hash: eventHash(before?.hash ?? FIRST_PREV_HASH, event),
    });
    expect(event.recordedAt).toBeGreaterThanOrEqual(events[i - 1]?.recordedAt ?? 0);
    heads.set(event.stream, event);
  });
  return events;
}

/** Last version of each stream, folded from the log. */
export async function foldOf(log: Pick<EventLog, 'readAll'>): Promise<Map<string, number>> {
  return new Map((await wholeLog(log)).map(({ stream, version }) => [stream, version]));
}
