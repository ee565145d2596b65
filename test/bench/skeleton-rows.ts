import { columnsOf, documentSchemas } from '@lib/contracts';
import type { Append, Change } from '@lib/ports';
import { POSITION, type RowsOfTable, type Value } from './workers/group-commits';

type Put = Extract<Change, { change: 'put' }>;

const HASH = 'f'.repeat(64);

const scalar = (value: unknown): Value =>
  typeof value === 'boolean' ? Number(value) : typeof value === 'number' || typeof value === 'string' ? value : null;

/**
 * The rows that an append comes to, table by table, with as many bytes: its own id is replaced by a place for one. What the
 * store changes in place is inserted here; nothing is looked up, hashed or removed.
 */
export function rowsOf(append: Append, uuid: string): RowsOfTable[] {
  const [write] = append.writes;
  if (write === undefined) throw new Error('the append writes nothing');
  const meta = JSON.stringify(append.meta);
  const events = write.events.map(({ type, schema, data }, index): Value[] => {
    const text = JSON.stringify(data);
    return [POSITION, write.stream, index + 1, type, schema, text, meta, append.meta.at, HASH, HASH];
  });
  const tables: RowsOfTable[] = [
    {
      table: 'events',
      columns: 'position stream_id version type schema data meta recorded_at prev_hash hash'.split(' '),
      rows: events,
    },
    { table: 'streams', columns: 'stream_id version removed hash'.split(' '), rows: [[write.stream, 1, 0, HASH]] },
    {
      table: 'commands',
      columns: 'command_id first_position last_position'.split(' '),
      rows: [[append.meta.commandId, 1, 1]],
    },
    ...append.changes.flatMap(rowOf),
  ];
  return merged(tables).map((table) => ({ ...table, rows: table.rows.map((row) => withPlaces(row, append, uuid)) }));
}

function rowOf(change: Change): RowsOfTable[] {
  switch (change.change) {
    case 'put':
      return [documentRow(change)];
    case 'claim':
      return [
        {
          table: 'unique_keys',
          columns: ['index_name', 'value', 'owner'],
          rows: [[change.index, `${change.value} {id}`, change.owner]],
        },
      ];
    case 'deadline':
      return [
        {
          table: 'deadlines',
          columns: 'stream_id n attempt due status'.split(' '),
          rows: [[change.stream, change.n, change.attempt, change.due, change.status]],
        },
      ];
    case 'effect':
      return [
        {
          table: 'effects',
          columns: ['stream_id', 'n', 'attempt', 'json'],
          rows: [[change.stream, change.n, change.attempt, change.json]],
        },
      ];
    default:
      return [];
  }
}

function documentRow({ kind, id, version, json, columns }: Put): RowsOfTable {
  const names = Object.keys(columnsOf(kind as (typeof documentSchemas)[number]['kind'], {}));
  return {
    table: `"doc_${kind}"`,
    columns: ['id', 'version', 'json', ...names.map((name) => `"${name}"`)],
    rows: [[id, version, json, ...names.map((name) => scalar(columns[name]))]],
  };
}

function merged(tables: readonly RowsOfTable[]): RowsOfTable[] {
  const byTable = new Map<string, RowsOfTable>();
  for (const one of tables) {
    const before = byTable.get(one.table);
    byTable.set(one.table, before === undefined ? one : { ...before, rows: [...before.rows, ...one.rows] });
  }
  return [...byTable.values()];
}

const withPlaces = (row: readonly Value[], { meta }: Append, uuid: string): Value[] =>
  row.map((value) =>
    typeof value === 'string' ? value.replaceAll(uuid, '{id}').replaceAll(meta.commandId, '{id}') : value,
  );
