import type { DocumentKindName } from '@lib/contracts';
import type { DerivedRow, DerivedTables, Range, StreamId } from '@lib/ports';
import { documentOwners } from '../derived-rows';
import type { TableRow } from './compare-rows';

const streamTables = ['streams', 'deadlines', 'effects'] as const;

/** The rows of the streams in the range, by stream; all tables but those of keys and commands. */
export async function storedRows(tables: DerivedTables, range: Range): Promise<Map<StreamId, TableRow[]>> {
  const rows = new Map<StreamId, TableRow[]>();
  const keep = (stream: StreamId, one: TableRow): void => {
    const ofStream = rows.get(stream) ?? [];
    ofStream.push(one);
    rows.set(stream, ofStream);
  };
  for (const plain of streamTables) {
    for (const row of await tables.ofStreams(plain, range)) keep(String(row['stream_id']), { table: { plain }, row });
  }
  for (const [kind, { concept, column }] of Object.entries(documentOwners)) {
    for (const row of await documents(tables, kind as DocumentKindName, range)) {
      keep(`${concept}/${String(row[column])}`, { table: { kind }, row });
    }
  }
  return rows;
}

async function documents(tables: DerivedTables, kind: DocumentKindName, range: Range): Promise<DerivedRow[]> {
  const { concept, column } = documentOwners[kind];
  const ofConcept = within(range, `${concept}/`);
  return ofConcept === null ? [] : tables.documents(kind, column, ofConcept);
}

/** The part of a range of streams that has the prefix, without it; null: there is none. */
export function within(range: Range, prefix: string): Range | null {
  const rest = (stream: string): string => stream.slice(prefix.length);
  if ('only' in range) return range.only.startsWith(prefix) ? { only: rest(range.only) } : null;
  const { after, upTo } = range;
  const isBefore = (stream: string): boolean => !stream.startsWith(prefix) && stream < prefix;
  const isBeyond = (stream: string): boolean => !stream.startsWith(prefix) && stream > prefix;
  if (isBeyond(after) || (upTo !== null && isBefore(upTo))) return null;
  return { after: isBefore(after) ? '' : rest(after), upTo: upTo === null || isBeyond(upTo) ? null : rest(upTo) };
}
