import type { ClaimedEffect, Clock, EffectLeases } from '@lib/ports';
import { Renewals } from './renewals';
import { marks } from './sql';
import type { WriteQueue } from './write-queue';

const firstOfTheirStreams = `
  SELECT opened, stream_id, n, attempt, json, claim FROM effects
    WHERE (leased_until IS NULL OR leased_until <= ?)
      AND n = (SELECT min(n) FROM effects AS others WHERE others.stream_id = effects.stream_id)
    ORDER BY opened LIMIT ?`;

/**
 * Leases are written through the append queue, in the transaction of the batch that they come with. That may have to wait for
 * another writer: times are moved on by the wait, else a lease would be over, or another one's seem to stand, by a time long past.
 */
export function leasesOf(queue: WriteQueue, clock: Pick<Clock, 'now'>): EffectLeases {
  const renewals = new Renewals(queue, clock);
  return {
    claim: (owner, at, leaseMs, limit) => {
      const asked = clock.now();
      return queue.work(async (sql) => {
        const now = at + Math.max(0, clock.now() - asked);
        const rows = await sql.query(firstOfTheirStreams, [now, limit]);
        if (rows.length === 0) return [];
        await sql.run(
          `UPDATE effects SET claim = claim + 1, owner = ?, leased_until = ? WHERE opened IN (${marks(rows.length)})`,
          [owner, now + leaseMs, ...rows.map(({ opened }) => Number(opened))],
        );
        return rows.map(({ stream_id, n, attempt, json, claim }): ClaimedEffect => ({
          stream: String(stream_id),
          n: Number(n),
          attempt: attempt === null ? null : Number(attempt),
          json: String(json),
          claim: Number(claim) + 1,
        }));
      });
    },
    renew: (effect, owner, until) => renewals.renew(effect, owner, until),
    release: (owner) =>
      queue.work(async (sql) => {
        const of = owner === null ? ['owner IS NOT NULL'] : ['owner = ?', owner];
        await sql.run(`UPDATE effects SET owner = NULL, leased_until = NULL WHERE ${of[0]}`, of.slice(1));
      }),
  };
}
