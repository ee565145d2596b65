import type { Clock, Instant, StreamId } from '@lib/ports';
import { chunks, type Sql } from './sql';
import type { WriteQueue } from './write-queue';

interface Renewal {
  readonly stream: StreamId;
  readonly n: number;
  readonly claim: number;
  readonly owner: string;
  /** How long the lease is from the moment of asking. */
  readonly lengthMs: number;
}

interface Group {
  readonly members: Renewal[];
  readonly renewed: Promise<ReadonlySet<string>>;
}

const PER_STATEMENT = 100;
const keyOf = ({ stream, n, claim, owner }: Renewal): string => JSON.stringify([stream, n, claim, owner]);

/**
 * Leases that are renewed together, by one statement instead of one for each: a conductor with a thousand effects under way renews
 * them all within moments, inside the transaction that every other writer waits for. Whoever asks before the statement goes out
 * is in it.
 */
export class Renewals {
  private open: Group | null = null;

  constructor(
    private readonly queue: WriteQueue,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** False when the claim no longer stands. */
  async renew(effect: { stream: StreamId; n: number; claim: number }, owner: string, until: Instant): Promise<boolean> {
    const { stream, n, claim } = effect;
    const renewal = { stream, n, claim, owner, lengthMs: until - this.clock.now() };
    const group = (this.open ??= this.begin());
    group.members.push(renewal);
    return (await group.renewed).has(keyOf(renewal));
  }

  private begin(): Group {
    const members: Renewal[] = [];
    const leave = (): void => {
      if (this.open === group) this.open = null;
    };
    // A batch that is split runs its work again: the members stay the same then.
    const renewed = this.queue.work((sql) => {
      leave();
      return renewAll(sql, members, this.clock.now());
    });
    const group: Group = { members, renewed };
    renewed.catch(leave);
    return group;
  }
}

/** The time that passed since a lease was asked for is added to its end; the longest of a statement counts for all in it. */
async function renewAll(sql: Sql, members: readonly Renewal[], now: Instant): Promise<ReadonlySet<string>> {
  const renewed = new Set<string>();
  for (const chunk of chunks(members, PER_STATEMENT)) {
    const until = now + Math.max(...chunk.map(({ lengthMs }) => lengthMs));
    const each = chunk.map(() => '(stream_id = ? AND n = ? AND claim = ? AND owner = ?)').join(' OR ');
    const rows = await sql.query(
      `UPDATE effects SET leased_until = ? WHERE ${each} RETURNING stream_id, n, claim, owner`,
      [until, ...chunk.flatMap(({ stream, n, claim, owner }) => [stream, n, claim, owner])],
    );
    for (const { stream_id, n, claim, owner } of rows) {
      const row = { stream: String(stream_id), n: Number(n), claim: Number(claim), owner: String(owner), lengthMs: 0 };
      renewed.add(keyOf(row as Renewal));
    }
  }
  return renewed;
}
