import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Change } from '@lib/ports';
import { DocumentWriter } from './document-writer';
import { deleteRows, writeRows, type Sql } from './sql';

type Deadline = Extract<Change, { change: 'deadline' }>;
type Effect = Extract<Change, { change: 'effect' }>;

/**
 * Writes the derived data of a batch. Changes of different rows commute, so each table gets its rows at once: of several
 * changes to one deadline or effect the last counts, documents keep their order. Keys were written with the appends.
 */
export async function writeChanges(sql: Sql, changes: readonly Change[], schemas: SchemaIndex): Promise<void> {
  const documents = new DocumentWriter(sql, schemas);
  const deadlines = new Map<string, Deadline>();
  const effects = new Map<string, Effect>();
  for (const change of changes) {
    switch (change.change) {
      case 'deadline':
        deadlines.set(rowKey(change), change);
        break;
      case 'effect':
        effects.set(rowKey(change), change);
        break;
      case 'claim':
      case 'release':
        break;
      default:
        await documents.apply(change);
    }
  }
  await documents.flush();
  await writeDeadlines(sql, [...deadlines.values()]);
  await writeEffects(sql, [...effects.values()]);
}

const rowKey = ({ stream, n }: { stream: string; n: number }): string => JSON.stringify([stream, n]);

async function writeDeadlines(sql: Sql, deadlines: readonly Deadline[]): Promise<void> {
  const [closed, kept] = split(deadlines);
  await deleteRows(
    sql,
    'deadlines',
    ['stream_id', 'n'],
    closed.map(({ stream, n }) => [stream, n]),
  );
  await writeRows(
    sql,
    'INSERT INTO deadlines (stream_id, n, attempt, due, status)',
    kept.map(({ stream, n, attempt, due, status }) => [stream, n, attempt, due, status]),
    `ON CONFLICT (stream_id, n) DO UPDATE
       SET attempt = excluded.attempt, due = excluded.due, status = excluded.status`,
  );
}

async function writeEffects(sql: Sql, effects: readonly Effect[]): Promise<void> {
  const [closed, open] = split(effects);
  await deleteRows(
    sql,
    'effects',
    ['stream_id', 'n'],
    closed.map(({ stream, n }) => [stream, n]),
  );
  await writeRows(
    sql,
    'INSERT INTO effects (stream_id, n, attempt, json)',
    open.map(({ stream, n, attempt, json }) => [stream, n, attempt, json]),
    'ON CONFLICT (stream_id, n) DO UPDATE SET attempt = excluded.attempt, json = excluded.json',
  );
}

function split<T extends { readonly status: string }>(rows: readonly T[]): [closed: T[], other: T[]] {
  return [rows.filter(({ status }) => status === 'closed'), rows.filter(({ status }) => status !== 'closed')];
}
