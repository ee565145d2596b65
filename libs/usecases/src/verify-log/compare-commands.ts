import type { DerivedRow, DerivedTables, EventReader } from '@lib/ports';
import { metaOf, Unfoldable } from '../derived-rows';
import type { Difference } from './difference';

const PAGE = 1000;

const span = (row: DerivedRow): string =>
  `positions ${String(row['first_position'])} to ${String(row['last_position'])}`;

/** Each run of events against the row of its command: an id that the log has twice can match one of its runs only. */
export async function compareCommands(runs: readonly DerivedRow[], derived: DerivedTables): Promise<Difference[]> {
  if (runs.length === 0) return [];
  const rows = await derived.byKey(
    'commands',
    runs.map((run) => [String(run['command_id'])]),
  );
  const stored = new Map(rows.map((row) => [row['command_id'], row]));
  return runs.flatMap((run): Difference[] => {
    const row = stored.get(run['command_id'] ?? null);
    const found = row ? span(row) : null;
    if (found === span(run)) return [];
    return [{ what: 'command', where: `command ${String(run['command_id'])}`, expected: span(run), found }];
  });
}

/**
 * Rows of commands whose events are not where they say. Reads an event for each: for when the counts differ. A row is
 * written with its events, so those of a row that was read are in the log.
 */
export async function* findExtraCommands(
  reader: Pick<EventReader, 'readAll'>,
  derived: DerivedTables,
): AsyncGenerator<Difference> {
  let after: readonly string[] | null = null;
  for (;;) {
    const page: DerivedRow[] = await derived.page('commands', after, PAGE);
    for (const row of page) {
      const position = Number(row['first_position']);
      if ((await commandAt(reader, position)) === row['command_id']) continue;
      yield { what: 'command', where: `command ${String(row['command_id'])}`, expected: null, found: span(row) };
    }
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = [String(last['command_id'])];
  }
}

async function commandAt(reader: Pick<EventReader, 'readAll'>, position: number): Promise<string | null> {
  const [event] = await reader.readAll(position - 1, 1);
  if (event?.position !== position) return null;
  try {
    return metaOf(event).commandId;
  } catch (error) {
    if (error instanceof Unfoldable) return null;
    throw error;
  }
}
