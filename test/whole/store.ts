import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryLog } from '@lib/adapters/event-log-memory';
import { openPostgresLog, openSqliteLog } from '@lib/adapters/event-log-typeorm';
import type { StoredLog } from '@lib/adapters/event-log-typeorm';
import { documentSchemas as schemas } from '@lib/contracts';
import type { Clock } from '@lib/ports';
import type { ScratchPostgres } from '@lib/testing/postgres';

/** Where a whole keeps its log. */
export type OpenStore = (clock: Clock) => Promise<StoredLog>;

export const inMemory: OpenStore = async (clock) => openMemoryLog({ schemas, clock });

/** In a folder of its own, which goes when the log is closed. */
export const inSqlite: OpenStore = async (clock) => {
  const home = await mkdtemp(join(tmpdir(), 'ferrolog-whole-'));
  const stored = await openSqliteLog({ home, schemas, clock });
  const close = async (): Promise<void> => {
    await stored.close();
    await rm(home, { recursive: true });
  };
  return { ...stored, close };
};

export const inPostgres =
  (server: ScratchPostgres): OpenStore =>
  async (clock) =>
    openPostgresLog({ url: await server.createSchema(), schemas, clock });
