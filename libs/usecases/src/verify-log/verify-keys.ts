import type { DerivedRow, DerivedTables, StreamId } from '@lib/ports';
import { foldedStream } from './compare-streams';
import type { StreamSources } from './compare-streams';
import { shown } from './difference';
import type { Difference } from './difference';
import { keyRows } from './expected-stream';

const PAGE = 1000;
const LOOKS_MAX = 50;

const place = (row: DerivedRow): string => `unique_keys ${String(row['index_name'])} ${String(row['value'])}`;

/** Keys that no stream asks for; reads every owner's stream: for when there are more keys than streams ask for. */
export async function* findExtraKeys(sources: StreamSources): AsyncGenerator<Difference> {
  let after: readonly string[] | null = null;
  for (;;) {
    const page: DerivedRow[] = await sources.derived.page('unique_keys', after, PAGE);
    for (const row of page) if (await isExtra(row, sources)) yield extra(row);
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = [String(last['index_name']), String(last['value'])];
  }
}

const extra = (row: DerivedRow): Difference => ({
  what: 'extra row',
  where: place(row),
  expected: null,
  found: shown(row['owner']),
});

/** The owner may have let go of the key, or another taken it, since the page was read. */
async function isExtra(row: DerivedRow, { reader, derived, options }: StreamSources): Promise<boolean> {
  const key = [String(row['index_name']), String(row['value'])];
  let current = row;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const owner: StreamId = String(current['owner']);
    const { rows, version } = await foldedStream(owner, { reader, options });
    if (rows === null || keyRows(rows).some(({ row: wanted }) => place(wanted) === place(current))) return false;
    const again = await stillThere(key, derived);
    if (again === null) return false;
    const newer = await reader.readStream(owner, version, 1);
    if (again['owner'] === owner && newer.length === 0) return true;
    current = again;
  }
  return true;
}

async function stillThere(key: readonly string[], derived: DerivedTables): Promise<DerivedRow | null> {
  const [row] = await derived.byKey('unique_keys', [key]);
  return row ?? null;
}
