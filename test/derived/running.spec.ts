import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLog } from '@lib/adapters/event-log-typeorm';
import { documentSchemas } from '@lib/contracts';
import { verifyLog } from '@lib/usecases';
import type { Difference } from '@lib/usecases';
import { play, projection as options } from './history';
import { sqliteStore } from './stores';

const schemas = documentSchemas;

it('is clean again and again while the log grows, and keeps no read transaction', async () => {
  const history = await play(5);
  const home = await mkdtemp(join(tmpdir(), 'ferrolog-running-'));
  const store = sqliteStore(home);
  let now = 0;
  const stored = await openSqliteLog({ home, schemas, clock: { now: () => now }, readers: 1 });
  try {
    const { log: reader, derived } = stored;
    const found: Difference[] = [];
    const heads = new Set<number>();
    let written = 0;
    let blocked = 0;
    const next = async (): Promise<void> => {
      const one = history.appended[written++];
      if (!one) return;
      now = one.at;
      const { fences: _claims, ...append } = one.append;
      expect(await stored.log.append(append)).toMatchObject({ ok: true });
    };
    // Each page of events is followed by an append, before the rows beside it are read.
    const growing: typeof derived = Object.assign(Object.create(derived) as typeof derived, {
      eventsByStream: async (...args: Parameters<typeof derived.eventsByStream>) => {
        const page = await derived.eventsByStream(...args);
        await next();
        const [checkpoint] = await store.query('PRAGMA wal_checkpoint(TRUNCATE)');
        blocked += Number(checkpoint?.['busy']);
        return page;
      },
    });
    while (written < history.appended.length) {
      const { events } = await verifyLog(
        { reader, derived: growing, options },
        { onDifference: (one) => found.push(one) },
      );
      heads.add(events);
    }
    expect(found).toEqual([]);
    expect(heads.size).toBeGreaterThan(20);
    expect(blocked).toBe(0);
  } finally {
    await stored.close();
    await history.end();
    await rm(home, { recursive: true });
  }
}, 120_000);
