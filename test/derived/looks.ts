import type { StoredLog } from '@lib/adapters/event-log-typeorm';
import { documentSchemas } from '@lib/contracts';
import { rebuildReadModel, verifyLog } from '@lib/usecases';
import type { Difference, Rebuilt, Verified } from '@lib/usecases';
import { projection as options } from './history';
import type { Store } from './stores';

type Opened = Pick<StoredLog, 'log' | 'derived' | 'derivedRebuild'>;

export async function verified({ log: reader, derived }: Opened): Promise<Verified & { found: Difference[] }> {
  const found: Difference[] = [];
  const result = await verifyLog({ reader, derived, options }, { onDifference: (one) => found.push(one) });
  expect(result.differences).toBe(found.length);
  return { ...result, found };
}

export const rebuilt = ({ log: reader, derived, derivedRebuild: rebuild }: Opened): Promise<Rebuilt> =>
  rebuildReadModel({ reader, derived, rebuild, options });

/** All rows beside the events, each table in the order of its creation, or of its keys where it has none. */
export async function dump({ query }: Store): Promise<Record<string, unknown[]>> {
  const tables: [table: string, order: string][] = [
    ...documentSchemas.map(({ kind }): [string, string] => [`doc_${kind}`, 'seq']),
    ['streams', 'stream_id'],
    ['commands', 'command_id'],
    ['unique_keys', 'index_name, value'],
    ['deadlines', 'stream_id, n'],
    ['effects', 'opened'],
  ];
  const rows: Record<string, unknown[]> = {};
  for (const [table, order] of tables) {
    const found = await query(`SELECT * FROM ${table} ORDER BY ${order}`);
    // The numbers of the order are new, the order is not.
    rows[table] = found.map(({ seq: _seq, opened: _opened, ...row }) => row);
  }
  return rows;
}

export const eventsOf = ({ query }: Store) => query('SELECT * FROM events ORDER BY position');
