import {
  admit,
  judge,
  remaining,
  type Admitted,
  type SchemaIndex,
  type StreamHead,
} from '@lib/adapters/event-log-batch';
import type { Append, AppendConflict, AppendResult, Instant, StreamId } from '@lib/ports';
import { havingClause } from './document-query';
import { tableOf } from './document-tables';
import { insertEvents } from './events-table';
import { look } from './look';
import { deleteRows, marks, writeRows, type Sql } from './sql';
import { writeChanges } from './write-changes';

export interface PackedBlob {
  readonly hash: string;
  readonly packed: Buffer;
}

/** An append whose blobs are compressed already, outside the transaction. */
export interface PackedAppend {
  readonly append: Append;
  readonly blobs: readonly PackedBlob[];
}

/** A document remains where a member promised that none would: the batch is to be rolled back. */
export class NotEmpty extends Error {
  constructor(readonly conflict: AppendConflict) {
    super('a document remains');
    this.name = 'NotEmpty';
  }
}

type Winner = PackedAppend & { readonly admitted: Admitted };

/**
 * Writes the members that win against the log and against each other, in their order; the losers are answered with what
 * they met. Runs inside the caller's transaction. Rejects with NotEmpty, which nobody sees before all is written: the changes of a
 * member may remove documents in ways that only the database can tell.
 */
export async function commitAppends(
  sql: Sql,
  members: readonly PackedAppend[],
  schemas: SchemaIndex,
  now: Instant,
): Promise<AppendResult[]> {
  const appends = members.map(({ append }) => append);
  const view = await look(sql, appends);
  const winners: Winner[] = [];
  const results = members.map((member): AppendResult => {
    const conflict = judge(member.append, view);
    if (conflict !== null) return { ok: false, conflict };
    const admitted = admit(member.append, view, now);
    winners.push({ ...member, admitted });
    return { ok: true, events: admitted.events };
  });
  await writeWinners(sql, winners, schemas);
  return results;
}

async function writeWinners(sql: Sql, winners: readonly Winner[], schemas: SchemaIndex): Promise<void> {
  await writeBlobs(
    sql,
    winners.flatMap(({ blobs }) => blobs),
  );
  await insertEvents(
    sql,
    winners.flatMap(({ admitted }) => admitted.events),
  );
  await writeHeads(sql, new Map(winners.flatMap(({ admitted }) => [...admitted.heads])));
  await writeCommands(sql, winners);
  await writeKeys(sql, winners);
  await writeChanges(
    sql,
    winners.flatMap(({ append }) => append.changes),
    schemas,
  );
  for (const { append } of winners) await assertEmpties(sql, append);
}

async function assertEmpties(sql: Sql, { empties = [] }: Append): Promise<void> {
  for (const empty of empties) {
    const { text, values } = havingClause(empty.column, empty.value);
    const select = `SELECT id, version FROM ${tableOf(empty.kind)} WHERE ${text} ORDER BY seq LIMIT 1`;
    const [row] = await sql.query(select, values);
    if (row) throw new NotEmpty(remaining(empty, { id: String(row.id), version: Number(row.version) }));
  }
}

async function writeHeads(sql: Sql, heads: ReadonlyMap<StreamId, StreamHead>): Promise<void> {
  const rows = [...heads].map(([stream, { version, removed, hash }]) => [stream, version, removed ? 1 : 0, hash]);
  await writeRows(
    sql,
    'INSERT INTO streams (stream_id, version, removed, hash)',
    rows,
    'ON CONFLICT (stream_id) DO UPDATE SET version = excluded.version, removed = excluded.removed, hash = excluded.hash',
  );
}

async function writeCommands(sql: Sql, winners: readonly Winner[]): Promise<void> {
  const rows = winners.flatMap(({ append, admitted: { events } }) => {
    const [first, last] = [events[0], events[events.length - 1]];
    return first && last ? [[append.meta.commandId, first.position, last.position]] : [];
  });
  await writeRows(sql, 'INSERT INTO commands (command_id, first_position, last_position)', rows);
}

async function writeKeys(sql: Sql, winners: readonly Winner[]): Promise<void> {
  const last = new Map<string, Admitted['keys'][number]>();
  for (const { admitted } of winners) {
    for (const key of admitted.keys) last.set(JSON.stringify([key.index, key.value]), key);
  }
  const keys = [...last.values()];
  const free = keys.flatMap(({ index, value, owner }) => (owner === null ? [[index, value]] : []));
  await deleteRows(sql, 'unique_keys', ['index_name', 'value'], free);
  const held = keys.flatMap(({ index, value, owner }) => (owner === null ? [] : [[index, value, owner]]));
  const onConflict = 'ON CONFLICT (index_name, value) DO UPDATE SET owner = excluded.owner';
  await writeRows(sql, 'INSERT INTO unique_keys (index_name, value, owner)', held, onConflict);
}

async function writeBlobs(sql: Sql, blobs: readonly PackedBlob[]): Promise<void> {
  for (const { hash, packed } of blobs) {
    await sql.run(`INSERT INTO blobs (hash, bytes) VALUES (${marks(2)}) ON CONFLICT (hash) DO NOTHING`, [hash, packed]);
  }
}
