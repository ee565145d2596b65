import { Connections } from './http-client';
import { percentile } from './statistics';

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly requests: readonly string[];
  /** Over and over for so long; without it each request once. */
  readonly forMs?: number;
  /** Any other status is a failure. */
  readonly status: number;
}

export interface LoadResult {
  readonly answered: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Statuses that were not wanted, `0` for a broken connection, with how often. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Each connection asks again as soon as it is answered. */
export async function runLoad({ port, connections, requests, forMs, status }: LoadOrder): Promise<LoadResult> {
  const client = new Connections(port, connections);
  const times: number[] = [];
  const failures: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = forMs === undefined ? Infinity : startedAt + forMs;
  let next = 0;
  const take = (): string | undefined =>
    forMs === undefined
      ? requests[next++]
      : performance.now() < endsAt
        ? requests[next++ % requests.length]
        : undefined;
  const one = async (): Promise<void> => {
    for (let text = take(); text !== undefined; text = take()) {
      const received = await client.send(text).catch(() => ({ status: 0, ms: 0 }));
      if (received.status === status) times.push(received.ms);
      else failures[received.status] = (failures[received.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  client.close();
  return {
    answered: times.length,
    perSecond: times.length / seconds,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    maxMs: percentile(times, 1),
    failures,
  };
}
