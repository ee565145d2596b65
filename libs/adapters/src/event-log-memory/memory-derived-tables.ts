import { columnType, type SchemaIndex } from '@lib/adapters/event-log-batch';
import { plainColumns } from '@lib/ports';
import type { DerivedRow, DerivedTables, PlainTable, Range, RecordedEvent, StreamPlace } from '@lib/ports';
import type { MemoryStore } from './memory-store';

/** What lies beside the events of a store, as rows. */
export class MemoryDerivedTables implements DerivedTables {
  constructor(
    private readonly store: MemoryStore,
    private readonly schemas: SchemaIndex,
  ) {}

  async eventsByStream({ stream, version }: StreamPlace, limit: number): Promise<RecordedEvent[]> {
    const streams = [...this.store.byStream.keys()].filter((one) => one >= stream).sort();
    const page: RecordedEvent[] = [];
    for (const one of streams) {
      const events = this.store.byStream.get(one) ?? [];
      page.push(...(one === stream ? events.filter((event) => event.version > version) : events));
      if (page.length >= limit) break;
    }
    return page.slice(0, limit);
  }

  async documents(kind: string, column: string, range: Range): Promise<DerivedRow[]> {
    columnType(this.schemas, kind, column);
    const columns = ['id', 'version', 'json', ...Object.keys(this.schemas.get(kind)?.columns ?? {})];
    return this.store.documents
      .rows(kind)
      .filter((row) => isIn(range, row[column]))
      .map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null])));
  }

  async ofStreams(table: 'streams' | 'deadlines' | 'effects', range: Range): Promise<DerivedRow[]> {
    return plainRows(table, this.store).filter((row) => isIn(range, row['stream_id']));
  }

  async byKey(table: 'commands' | 'unique_keys', keys: readonly (readonly string[])[]): Promise<DerivedRow[]> {
    const wanted = new Set(keys.map((key) => JSON.stringify(key)));
    return plainRows(table, this.store).filter((row) => wanted.has(JSON.stringify(keyOf(table, row))));
  }

  async page(table: 'commands' | 'unique_keys', after: readonly string[] | null, limit: number): Promise<DerivedRow[]> {
    const sorted = plainRows(table, this.store).sort((a, b) => compare(keyOf(table, a), keyOf(table, b)));
    return sorted.filter((row) => after === null || compare(keyOf(table, row), after) > 0).slice(0, limit);
  }

  async countKeys(): Promise<number> {
    return this.store.view.owners.size;
  }

  async countCommands(upTo: number): Promise<number> {
    return plainRows('commands', this.store).filter((row) => Number(row['first_position']) <= upTo).length;
  }
}

const isIn = (range: Range, value: unknown): boolean => {
  if (typeof value !== 'string') return false;
  if ('only' in range) return value === range.only;
  return value > range.after && (range.upTo === null || value <= range.upTo);
};

const keyOf = (table: PlainTable, row: DerivedRow): string[] =>
  Object.keys(plainColumns[table].columns)
    .slice(0, plainColumns[table].keys)
    .map((name) => String(row[name]));

function compare(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((part, i) => part !== other[i]);
  if (at < 0) return 0;
  return (one[at] ?? '') < (other[at] ?? '') ? -1 : 1;
}

function plainRows(table: PlainTable, { view, byCommand, deadlines, effects }: MemoryStore): DerivedRow[] {
  switch (table) {
    case 'streams':
      return [...view.streams].map(([stream_id, { version, removed, hash }]) => ({
        stream_id,
        version,
        removed,
        hash,
      }));
    case 'commands':
      return [...byCommand].map(([command_id, events]) => ({
        command_id,
        first_position: events[0]?.position ?? 0,
        last_position: events.at(-1)?.position ?? 0,
      }));
    case 'unique_keys':
      return [...view.owners].map(([key, owner]) => {
        const [index_name = '', value = ''] = JSON.parse(key) as string[];
        return { index_name, value, owner };
      });
    case 'deadlines':
      return [...deadlines.values()].map(({ stream, n, attempt, due, status }) => ({
        stream_id: stream,
        n,
        attempt,
        due,
        status,
      }));
    case 'effects':
      return effects.rows().map(({ stream, n, attempt, json }) => ({ stream_id: stream, n, attempt, json }));
  }
}
