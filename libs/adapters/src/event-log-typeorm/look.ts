import { keyOf, lastWords, type BatchView, type StreamHead } from '@lib/adapters/event-log-batch';
import type { Append, StreamId } from '@lib/ports';
import { chunks, marks, type Sql, type SqlRow, type SqlValue } from './sql';

/** Well below SQLite's 32,766 values in one statement. */
const VALUES_PER_SELECT = 5_000;

/** Looks before the batch writes: the log's head, and what it holds of the streams, keys and commands that are named. */
export async function look(sql: Sql, appends: readonly Append[]): Promise<BatchView> {
  const [head] = await sql.query('SELECT position, recorded_at FROM events ORDER BY position DESC LIMIT 1');
  return {
    position: Number(head?.position ?? 0),
    recordedAt: Number(head?.recorded_at ?? 0),
    streams: await lookAtStreams(sql, appends),
    owners: await lookAtKeys(sql, appends),
    commands: await lookAtCommands(sql, appends),
  };
}

async function lookAtStreams(sql: Sql, appends: readonly Append[]): Promise<Map<StreamId, StreamHead>> {
  const named = appends.flatMap(({ writes, guards = [] }) => [...writes, ...guards].map(({ stream }) => stream));
  const rows = await selectIn(sql, 'SELECT stream_id, version, removed, hash FROM streams WHERE stream_id', [], named);
  return new Map(
    rows.map(({ stream_id, version, removed, hash }) => [
      String(stream_id),
      { version: Number(version), removed: Number(removed) === 1, hash: String(hash) },
    ]),
  );
}

async function lookAtCommands(sql: Sql, appends: readonly Append[]): Promise<Set<string>> {
  const named = appends.map(({ meta }) => meta.commandId);
  const rows = await selectIn(sql, 'SELECT command_id FROM commands WHERE command_id', [], named);
  return new Set(rows.map(({ command_id }) => String(command_id)));
}

async function lookAtKeys(sql: Sql, appends: readonly Append[]): Promise<Map<string, StreamId>> {
  const words = appends.flatMap(({ changes }) => lastWords(changes));
  const owners = new Map<string, StreamId>();
  for (const index of new Set(words.map((word) => word.index))) {
    const values = words.filter((word) => word.index === index).map(({ value }) => value);
    const text = 'SELECT value, owner FROM unique_keys WHERE index_name = ? AND value';
    for (const { value, owner } of await selectIn(sql, text, [index], values)) {
      owners.set(keyOf(index, String(value)), String(owner));
    }
  }
  return owners;
}

async function selectIn(sql: Sql, text: string, first: SqlValue[], values: readonly string[]): Promise<SqlRow[]> {
  const rows: SqlRow[] = [];
  for (const chunk of chunks([...new Set(values)], VALUES_PER_SELECT)) {
    rows.push(...(await sql.query(`${text} IN (${marks(chunk.length)})`, [...first, ...chunk])));
  }
  return rows;
}
