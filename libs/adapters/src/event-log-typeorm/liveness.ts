import type { ConductorRow, Liveness } from '@lib/ports';
import type { Query } from './sql';
import { marks } from './sql';
import type { WriteQueue } from './write-queue';

const UPSERT = `INSERT INTO conductors
  (id, hostname, conductor_group, drivers, online, capabilities, created_at, updated_at) VALUES (${marks(8)})
  ON CONFLICT (id) DO UPDATE SET hostname = excluded.hostname, conductor_group = excluded.conductor_group,
    drivers = excluded.drivers, online = excluded.online, capabilities = excluded.capabilities,
    updated_at = excluded.updated_at`;

export function livenessOf(queue: WriteQueue, query: Query): Liveness {
  return {
    beat: ({ id, hostname, conductorGroup, drivers, online, capabilities, createdAt }, now) =>
      queue.work(async (sql) => {
        const described = [conductorGroup, JSON.stringify(drivers), Number(online), capabilities];
        await sql.run(UPSERT, [id, hostname, ...described, createdAt, now]);
      }),
    conductors: () => readConductors(query),
    forget: (ids) =>
      queue.work(async (sql) => {
        if (ids.length > 0) await sql.run(`DELETE FROM conductors WHERE id IN (${marks(ids.length)})`, [...ids]);
      }),
  };
}

export async function readConductors(query: Query): Promise<ConductorRow[]> {
  const rows = await query('SELECT * FROM conductors ORDER BY hostname, created_at, id');
  return rows.map((row) => ({
    id: String(row.id),
    hostname: String(row.hostname),
    conductorGroup: String(row.conductor_group),
    drivers: JSON.parse(String(row.drivers)) as string[],
    online: Number(row.online) === 1,
    capabilities: String(row.capabilities),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }));
}
