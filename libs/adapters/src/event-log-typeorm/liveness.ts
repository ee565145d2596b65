import type { ConductorRow, Liveness } from '@lib/ports';
import type { Query } from './sql';
import { marks } from './sql';
import type { WriteQueue } from './write-queue';

const UPSERT = `INSERT INTO conductors
  (hostname, conductor_group, drivers, online, capabilities, created_at, updated_at) VALUES (${marks(7)})
  ON CONFLICT (hostname) DO UPDATE SET conductor_group = excluded.conductor_group, drivers = excluded.drivers,
    online = excluded.online, capabilities = excluded.capabilities, updated_at = excluded.updated_at`;

export function livenessOf(queue: WriteQueue, query: Query): Liveness {
  return {
    beat: ({ hostname, conductorGroup, drivers, online, capabilities }, now) =>
      queue.work(async (sql) => {
        const values = [hostname, conductorGroup, JSON.stringify(drivers), Number(online), capabilities, now, now];
        await sql.run(UPSERT, values);
      }),
    conductors: () => readConductors(query),
  };
}

export async function readConductors(query: Query): Promise<ConductorRow[]> {
  const rows = await query('SELECT * FROM conductors ORDER BY hostname');
  return rows.map((row) => ({
    hostname: String(row.hostname),
    conductorGroup: String(row.conductor_group),
    drivers: JSON.parse(String(row.drivers)) as string[],
    online: Number(row.online) === 1,
    capabilities: String(row.capabilities),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }));
}
