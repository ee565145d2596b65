import { effectKey, keyOf, lastWords, type BatchView, type StreamHead } from '@lib/adapters/event-log-batch';
import type { Append, StreamId } from '@lib/ports';
import { chunks, marks, rowsOfMarks, type Sql, type SqlRow, type SqlValue } from './sql';

/** Well below the 32,766 values that SQLite takes in one statement. */
const VALUES_PER_SELECT = 5_000;

/** One part of the look: rows of `what, name, detail, a, b`, for these values. */
interface Part {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

const columns = (what: string, name: string, detail: string, a: string, b: string): string =>
  `SELECT ${what} AS what, ${name} AS name, ${detail} AS detail, ${a} AS a, ${b} AS b`;

const head: Part = {
  text: `${columns("'head'", "''", "''", 'position', 'recorded_at')}
    FROM (SELECT position, recorded_at FROM events ORDER BY position DESC LIMIT 1) AS last_event`,
  values: [],
};

/**
 * Looks before the batch writes: the log's head, and what it holds of the streams, keys, effects and commands that are
 * named. One SELECT as a rule: each further one would be a way to the database and back.
 */
export async function look(sql: Sql, appends: readonly Append[]): Promise<BatchView> {
  const view = {
    position: 0,
    recordedAt: 0,
    streams: new Map<StreamId, StreamHead>(),
    owners: new Map<string, StreamId>(),
    commands: new Set<string>(),
    claims: new Map<string, number>(),
  };
  for (const { text, values } of statements([head, ...named(sql, appends)])) {
    for (const row of await sql.query(text, values)) take(row, view);
  }
  return view;
}

type LookedAt = BatchView & { readonly claims: Map<string, number> };

function take({ what, name, detail, a, b }: SqlRow, view: LookedAt): void {
  switch (what) {
    case 'head':
      view.position = Number(a);
      view.recordedAt = Number(b);
      return;
    case 'stream':
      view.streams.set(String(name), { version: Number(a), removed: Number(b) === 1, hash: String(detail) });
      return;
    case 'command':
      view.commands.add(String(name));
      return;
    case 'effect':
      view.claims.set(effectKey({ stream: String(name), n: Number(a) }), Number(b));
      return;
    default:
      // A unique key: its index is what is named, after `key `.
      view.owners.set(keyOf(String(what).slice('key '.length), String(name)), String(detail));
  }
}

function named({ dialect }: Sql, appends: readonly Append[]): Part[] {
  const streams = appends.flatMap(({ writes, guards = [] }) => [...writes, ...guards].map(({ stream }) => stream));
  const fences = appends.flatMap((append) => append.fences ?? []);
  return [
    ...amongValues(
      `${columns("'stream'", 'stream_id', 'hash', 'version', 'removed')} FROM streams WHERE stream_id`,
      streams,
    ),
    ...amongValues(
      `${columns("'command'", 'command_id', "''", '0', '0')} FROM commands WHERE command_id`,
      appends.map(({ meta }) => meta.commandId),
    ),
    ...keyParts(appends),
    ...[...chunks(fences, VALUES_PER_SELECT / 2)].map((chunk) => ({
      text: `${columns("'effect'", 'stream_id', "''", 'n', 'claim')} FROM effects
        WHERE (stream_id, n) IN ${dialect.rowsIn(rowsOfMarks(chunk.length, 2))}`,
      values: chunk.flatMap(({ stream, n }) => [stream, n]),
    })),
  ];
}

function keyParts(appends: readonly Append[]): Part[] {
  const words = appends.flatMap(({ changes }) => lastWords(changes));
  return [...new Set(words.map(({ index }) => index))].flatMap((index) =>
    amongValues(
      `${columns("'key ' || index_name", 'value', 'owner', '0', '0')} FROM unique_keys WHERE index_name = ? AND value`,
      words.filter((word) => word.index === index).map(({ value }) => value),
      [index],
    ),
  );
}

function amongValues(text: string, values: readonly string[], first: readonly SqlValue[] = []): Part[] {
  return [...chunks([...new Set(values)], VALUES_PER_SELECT)].map((chunk) => ({
    text: `${text} IN (${marks(chunk.length)})`,
    values: [...first, ...chunk],
  }));
}

/** As many parts in one statement as their values allow. */
function statements(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined[joined.length - 1];
    if (last === undefined || last.values.length + part.values.length > VALUES_PER_SELECT) joined.push(part);
    else
      joined[joined.length - 1] = {
        text: `${last.text} UNION ALL ${part.text}`,
        values: [...last.values, ...part.values],
      };
  }
  return joined;
}
