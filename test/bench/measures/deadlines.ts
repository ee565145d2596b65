import { sleep } from '../../stack';
import { uuidOf, type Bed } from '../bed';
import { requestText } from '../http-client';
import type { LoadResult } from '../load';
import { processorMs } from '../memory';
import { atMost, shownNumber, type Row } from '../rows';
import { percentile, spread } from '../statistics';

/** The nodes' own limit, seconds; their inspections are entered as begun that long before they are due. */
const WAIT_TIMEOUT = 60;
const GET_CONNECTIONS = 8;
const PATIENCE_MS = 120_000;
const P99_MS_MAX = 250;
const LAST_MS_MAX = 3_000;
const LEAD_MS = 1_000;
const TRIES_MAX = 3;

interface Lateness {
  /** recorded_at of each timeout less its due time. */
  readonly ms: readonly number[];
  readonly gets: LoadResult;
  /** Of the conductor and the scheduler, until the last is settled: the parts that deadlines cost, whatever else goes on. */
  readonly processorMs: Readonly<Record<string, number>>;
}

const PAYING = ['conductor', 'scheduler'] as const;
const processorTimes = (bed: Bed): Record<string, number> =>
  Object.fromEntries(PAYING.map((name) => [name, processorMs(bed.stack.pid(name))]));

/** Deadlines that fall due within some seconds, and as many at one moment, with nodes shown meanwhile. */
export async function deadlines(bed: Bed): Promise<Row[]> {
  const { count, withinMs } = bed.sizes.deadlines;
  const many = count.toLocaleString('en-US');
  const spreadOut = await lateness(bed, 'spread', count, withinMs);
  const atOnce = await lateness(bed, 'at-once', count, 0);
  return [
    row(`lateness of ${many} deadlines due within ${withinMs / 1000} s`, spreadOut, (late) => [
      'p99',
      atMost(P99_MS_MAX, percentile(late, 0.99), ' ms, none early'),
    ]),
    row(`lateness of ${many} deadlines due at once`, atOnce, (late) => [
      'the last',
      atMost(LAST_MS_MAX, percentile(late, 1), ' ms, none early'),
    ]),
  ];
}

async function lateness(bed: Bed, purpose: string, count: number, withinMs: number): Promise<Lateness> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    bed.progress(`${count} deadlines, due within ${withinMs} ms`);
    const base = Math.ceil(Date.now() + bed.fillMs(count) * tries);
    const wishes = Array.from({ length: count }, (_, i) => ({
      uuid: uuidOf(`${purpose} ${tries}`, i),
      name: `${purpose}-${tries}-${i}`,
      state: 'inspect wait' as const,
      waitTimeout: WAIT_TIMEOUT,
      due: base + Math.floor((i * withinMs) / count),
    }));
    const [head] = await bed.query<{ head: number }>('SELECT max(position) AS head FROM events');
    await bed.fillWith(
      wishes.map(({ due, ...wish }) => ({ ...wish, inspectingSince: due - WAIT_TIMEOUT * 1000 })),
      false,
    );
    // Too slow a machine for this lead: deadlines that fell due with nobody there say nothing.
    if (Date.now() > base - LEAD_MS) continue;
    await sleep(base - LEAD_MS - Date.now());
    const dues = new Map(wishes.map(({ uuid, due }) => [`node/${uuid}`, due]));
    return watch(bed, dues, head?.head ?? 0, LEAD_MS + withinMs + LAST_MS_MAX);
  }
  throw new Error('the deadlines fell due before the conductor was back, three times over');
}

async function watch(bed: Bed, dues: ReadonlyMap<string, number>, head: number, forMs: number): Promise<Lateness> {
  const before = processorTimes(bed);
  const shown = [...dues.keys()].slice(0, 500).map((stream) => stream.slice('node/'.length));
  const gets = await bed.load.ask<LoadResult>('runLoad', {
    port: bed.port,
    connections: GET_CONNECTIONS,
    requests: shown.map((uuid) => requestText('GET', `/v1/nodes/${uuid}`)),
    status: 200,
    forMs,
  });
  const last = Math.max(...dues.values());
  await bed.noneOf(
    `SELECT count(*) AS many FROM deadlines WHERE status = 'open' AND due <= ${last}`,
    'deadlines',
    PATIENCE_MS,
  );
  const ended = await bed.query<{ stream: string; at: number }>(
    `SELECT stream_id AS stream, recorded_at AS at FROM events WHERE position > ? AND type = 'InspectionTimedOut'`,
    [head],
  );
  const ms = ended.flatMap(({ stream, at }) => {
    const due = dues.get(stream);
    return due === undefined ? [] : [at - due];
  });
  if (ms.length !== dues.size) throw new Error(`${dues.size} deadlines came to ${ms.length} timeouts`);
  await bed.quiet();
  const used = Object.entries(processorTimes(bed)).map(([name, after]) => [name, after - (before[name] ?? 0)]);
  return { ms, gets, processorMs: Object.fromEntries(used) as Record<string, number> };
}

function row(
  name: string,
  { ms, gets, processorMs: used }: Lateness,
  judged: (late: readonly number[]) => [string, Row['aim']],
): Row {
  const early = ms.filter((late) => late < 0).length;
  const [which, aim] = judged(ms);
  const price = Object.entries(used).map(([service, time]) => `${service} ${shownNumber((time * 1000) / ms.length)}`);
  const value = which === 'p99' ? percentile(ms, 0.99) : percentile(ms, 1);
  return {
    measure: 'deadlines',
    name: `${name}, ${which}`,
    value: spread([value]),
    unit: 'ms',
    notes: [
      `p50 ${percentile(ms, 0.5)} ms, p99 ${percentile(ms, 0.99)} ms, max ${percentile(ms, 1)} ms, ${early} early`,
      `us of processor time each, clean-up included: ${price.join(', ')}`,
      `meanwhile ${shownNumber(gets.perSecond)} GETs/s, p99 ${shownNumber(gets.p99Ms)} ms`,
    ],
    ...(aim ? { aim: { text: aim.text, met: aim.met && early === 0 } } : {}),
  };
}
