import type { DerivedTables, EventReader, Range, StreamId } from '@lib/ports';
import type { ProjectionOptions } from '../project-node';
import { compareRows } from './compare-rows';
import type { TableRow } from './compare-rows';
import type { Difference } from './difference';
import { isForeign, keyRows, StreamFold } from './expected-stream';
import type { ExpectedStream } from './expected-stream';
import { storedRows } from './stored-rows';

export interface StreamSources {
  readonly reader: Pick<EventReader, 'readStream'>;
  readonly derived: DerivedTables;
  readonly options: ProjectionOptions;
}

const PAGE = 1000;
/** A stream that moves on while it is looked at is looked at again, so often; then it is told. */
const LOOKS_MAX = 50;

/**
 * The rows of all streams in the range against what their events ask for. The stack may run: events and rows are read
 * one after the other, so a stream that seems to differ is read again until nothing was appended in between.
 */
export async function compareStreams(
  expected: readonly ExpectedStream[],
  range: Range,
  sources: StreamSources,
): Promise<Difference[]> {
  const found = await foundRows(expected, range, sources.derived);
  const wanted = new Map(expected.map((one) => [one.stream, one]));
  const differences: Difference[] = [];
  for (const stream of new Set([...wanted.keys(), ...found.keys()])) {
    const one = wanted.get(stream) ?? { stream, version: 0, rows: [] };
    if (compareStream(one, found.get(stream) ?? []).length > 0) differences.push(...(await settled(stream, sources)));
  }
  return differences;
}

/** The differences of one stream at one version. */
export async function settled(stream: StreamId, sources: StreamSources): Promise<Difference[]> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const expected = await foldedStream(stream, sources);
    const found = await foundRows([expected], { only: stream }, sources.derived);
    const newer = await sources.reader.readStream(stream, expected.version, 1);
    if (newer.length === 0) return compareStream(expected, found.get(stream) ?? []);
  }
  return [{ what: 'row', where: stream, expected: 'a moment without changes', found: `changes at ${LOOKS_MAX} looks` }];
}

export async function foldedStream(
  stream: StreamId,
  { reader, options }: Pick<StreamSources, 'reader' | 'options'>,
): Promise<ExpectedStream> {
  const fold = new StreamFold(stream, options);
  for (let after = 0; ;) {
    const page = await reader.readStream(stream, after, PAGE);
    page.forEach((event) => fold.add(event));
    after = page.at(-1)?.version ?? after;
    if (page.length < PAGE) return fold.end();
  }
}

function compareStream({ stream, rows }: ExpectedStream, found: readonly TableRow[]): Difference[] {
  if (rows === null) return [];
  if (!isForeign(stream)) return compareRows(rows, found);
  return compareRows(heads(rows), heads(found));
}

/** Of a stream of another release all that can be told is version and hash. */
const heads = (rows: readonly TableRow[]): TableRow[] =>
  rows
    .filter(({ table }) => 'plain' in table && table.plain === 'streams')
    .map(({ table, row: { stream_id = null, version = null, hash = null } }) => ({
      table,
      row: { stream_id, version, hash },
    }));

/** Keys are looked up by what is expected; those that nothing asks for are found by `verifyKeys`. */
async function foundRows(
  expected: readonly ExpectedStream[],
  range: Range,
  derived: DerivedTables,
): Promise<Map<StreamId, TableRow[]>> {
  const found = await storedRows(derived, range);
  const claims = expected.flatMap(({ stream, rows }) => keyRows(rows ?? []).map((one) => ({ stream, one })));
  if (claims.length === 0) return found;
  const keys = await derived.byKey(
    'unique_keys',
    claims.map(({ one: { row } }) => [String(row['index_name']), String(row['value'])]),
  );
  const byPlace = new Map(keys.map((row) => [`${String(row['index_name'])} ${String(row['value'])}`, row]));
  for (const { stream, one } of claims) {
    const row = byPlace.get(`${String(one.row['index_name'])} ${String(one.row['value'])}`);
    if (row) found.set(stream, [...(found.get(stream) ?? []), { table: one.table, row }]);
  }
  return found;
}
