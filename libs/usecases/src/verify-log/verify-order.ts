import type { DerivedRow, DerivedTables, EventReader, RecordedEvent } from '@lib/ports';
import { CommandRuns, Unfoldable } from '../derived-rows';
import { pagesAhead } from '../pages-ahead';
import { compareCommands, findExtraCommands } from './compare-commands';
import type { Difference } from './difference';

const PAGE = 1000;

export interface OrderSources {
  readonly reader: Pick<EventReader, 'head' | 'readAll'>;
  readonly derived: DerivedTables;
}

type Neighbour = Pick<RecordedEvent, 'position' | 'recordedAt'>;

/**
 * The whole log in order of position, up to `head`: no gaps, times that never decrease, each command one run of events
 * that its row names. `onRead` is told of each page.
 */
export async function verifyOrder(
  { reader, derived }: OrderSources,
  head: number,
  tell: (difference: Difference) => void,
  onRead: (events: number) => void,
): Promise<void> {
  const runs = new CommandRuns();
  let last: Neighbour = { position: 0, recordedAt: 0 };
  let good = 0;
  const check = async (ended: readonly DerivedRow[]): Promise<void> => {
    const differences = await compareCommands(ended, derived);
    good += ended.length - differences.length;
    differences.forEach(tell);
  };
  const read = (after: number, limit: number) => reader.readAll(after, limit);
  for await (const found of pagesAhead({ read, placeOf: ({ position }) => position, limit: PAGE }, 0)) {
    const page = found.filter(({ position }) => position <= head);
    page.forEach((event, i) => compareNeighbours(page[i - 1] ?? last, event).forEach(tell));
    await check(page.flatMap((event) => endedBy(event, runs, tell)));
    last = page.at(-1) ?? last;
    onRead(page.length);
    if (page.length < found.length) break;
  }
  await check(runs.end());
  if ((await derived.countCommands(head)) !== good || (await pointBeyond(reader, derived))) {
    for await (const extra of findExtraCommands(reader, derived)) tell(extra);
  }
}

/** Whether commands are kept whose events the log does not reach; those counted first are all in the log read after. */
async function pointBeyond(reader: OrderSources['reader'], derived: DerivedTables): Promise<boolean> {
  const all = await derived.countCommands(Number.MAX_SAFE_INTEGER);
  return (await derived.countCommands(await reader.head())) < all;
}

function compareNeighbours(before: Neighbour, { position, recordedAt, stream, version }: RecordedEvent): Difference[] {
  const where = `position ${position} (${stream} version ${version})`;
  const differences: Difference[] = [];
  if (position !== before.position + 1) {
    differences.push({ what: 'position', where, expected: String(before.position + 1), found: String(position) });
  }
  if (recordedAt < before.recordedAt) {
    const expected = `${before.recordedAt} or later`;
    differences.push({ what: 'recorded_at', where, expected, found: String(recordedAt) });
  }
  return differences;
}

function endedBy(
  event: RecordedEvent,
  runs: CommandRuns,
  tell: (difference: Difference) => void,
): readonly DerivedRow[] {
  try {
    return runs.add(event);
  } catch (error) {
    if (!(error instanceof Unfoldable)) throw error;
    tell({ what: 'event', where: `position ${event.position} meta`, expected: 'JSON', found: error.message });
    return [];
  }
}
