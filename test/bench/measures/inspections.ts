import { BUS_PREFIX, uuidOf, type Bed } from '../bed';
import type { Wish } from '../fill';
import { bootMacOf, scriptOf } from '../machine-data';
import { MemoryWatch, processorMs, residentMb } from '../memory';
import { atLeast, atMost, shownNumber, shownSpread, type Row } from '../rows';
import { percentile, spread } from '../statistics';
import type { MachinesResult, ScriptedMachine } from '../workers/drive-machines';

const KINDS = { large: { label: '60 KB', bytes: 60_000 }, small: { label: '1 KB', bytes: 1_000 } } as const;
type Kind = keyof typeof KINDS;

const SEED = 20_261;
const CONNECTIONS = 64;
const PATIENCE_MS = 300_000;
/** Seconds; the nodes' own limit where the script waits for it. */
const WAIT_TIMEOUT = 2;
const AIM_RATIO = 0.5;
const AIM_LATENESS_MS = 500;

interface Slice extends MachinesResult {
  /** recorded_at of each timeout less its due time. */
  readonly latenessMs: readonly number[];
  readonly peakMb: number;
  readonly endMb: number;
  /** Processor time of all services. */
  readonly processorMs: number;
}

/** In-band inspections of machines that behave well, late, twice, wrongly or not at all; large data and small in turns. */
export async function inspections(bed: Bed): Promise<Row[]> {
  const { slices, machines } = bed.sizes.inspections;
  const count = slices * machines;
  const all = { large: machinesOf('large', count, 0), small: machinesOf('small', count, count) };
  bed.progress(`filling in ${2 * count} machines`);
  await bed.fillWith([...all.large, ...all.small].map(wishFor), false);
  const beforeMb = conductorMb(bed);
  const results: Record<Kind, Slice[]> = { large: [], small: [] };
  for (let index = 0; index < slices; index += 1) {
    for (const kind of ['small', 'large'] as const) {
      bed.progress(`${machines} inspections in band with data of ${KINDS[kind].label}, slice ${index + 1}`);
      results[kind].push(await slice(bed, kind, all[kind].slice(index * machines, (index + 1) * machines)));
    }
  }
  return rowsOf(count, results, beforeMb);
}

const machinesOf = (kind: Kind, count: number, first: number): ScriptedMachine[] =>
  Array.from({ length: count }, (_, index) => ({
    uuid: uuidOf(`inspected ${kind}`, index),
    number: first + index,
    script: scriptOf(index),
  }));

const wishFor = ({ uuid, number, script }: ScriptedMachine): Wish => ({
  uuid,
  name: `inspected-${number}`,
  state: 'manageable',
  mac: bootMacOf(number),
  ...(script === 'never' || script === 'late' ? { waitTimeout: WAIT_TIMEOUT } : {}),
});

async function slice(bed: Bed, kind: Kind, machines: readonly ScriptedMachine[]): Promise<Slice> {
  const [head] = await bed.query<{ head: number }>('SELECT max(position) AS head FROM events');
  const watch = new MemoryWatch(() => ({ conductor: bed.stack.pid('conductor') }));
  const before = processorTime(bed);
  try {
    const result = await bed.load.ask<MachinesResult>('driveMachines', {
      natsUrl: bed.broker.url,
      prefix: BUS_PREFIX,
      port: bed.port,
      connections: CONNECTIONS,
      inFlight: bed.sizes.inspections.inFlight,
      machines,
      seed: SEED,
      bytes: KINDS[kind].bytes,
      patienceMs: PATIENCE_MS,
    });
    if (Object.keys(result.failures).length > 0)
      throw new Error(`inspections with data of ${KINDS[kind].label}: ${JSON.stringify(result.failures)}`);
    await bed.quiet();
    const latenessMs = await lateness(bed, head?.head ?? 0);
    const peakMb = watch.stop()['conductor'] ?? 0;
    return { ...result, latenessMs, peakMb, endMb: conductorMb(bed), processorMs: processorTime(bed) - before };
  } finally {
    watch.stop();
  }
}

const conductorMb = (bed: Bed): number => residentMb(bed.stack.pid('conductor'));

const processorTime = (bed: Bed): number => Object.values(bed.pids).reduce((sum, pid) => sum + processorMs(pid), 0);

/** By the log: when each timeout was recorded, and when it was due. */
async function lateness(bed: Bed, head: number): Promise<number[]> {
  const ended = await bed.query<{ data: string; at: number }>(
    `SELECT data, recorded_at AS at FROM events WHERE position > ? AND type = 'InspectionTimedOut'`,
    [head],
  );
  return ended.map(({ data, at }) => at - (JSON.parse(data) as { deadline: { due: number } }).deadline.due);
}

function rowsOf(count: number, { large, small }: Readonly<Record<Kind, readonly Slice[]>>, beforeMb: number): Row[] {
  const measure = 'inspections';
  const perSecond = (some: readonly Slice[]) => some.map(({ completed, seconds }) => completed / seconds);
  const each = (some: readonly Slice[]) => spread(some.map(({ processorMs: ms, completed }) => ms / completed));
  const ratio = spread(perSecond(large).map((one, index) => one / (perSecond(small)[index] ?? Number.NaN)));
  const retries = [...large, ...small].reduce((sum, one) => sum + one.retries, 0);
  const posts = (of: (one: Slice) => number, some = large) => shownSpread(spread(some.map(of)));
  const late = large.flatMap(({ latenessMs }) => latenessMs);
  const early = late.filter((ms) => ms < 0).length;
  const lateP99 = percentile(late, 0.99);
  const aim = atMost(AIM_LATENESS_MS, lateP99, ' ms, none early');
  const peak = (some: readonly Slice[]) => Math.max(...some.map(({ peakMb }) => peakMb));
  return [
    {
      measure,
      name: `inspections of ${count.toLocaleString('en-US')} machines in band with data of ${KINDS.large.label}, those that data ended`,
      value: spread(perSecond(large)),
      unit: '/s',
      beside: { name: `as many with ${KINDS.small.label}`, value: spread(perSecond(small)), ratio },
      notes: [
        'each 5 % never heard of, late, twice, with an error, aborted; all ended as their script demands',
        `${shownSpread(each(large))} ms of processor time each (there ${shownSpread(each(small))})`,
        `${retries} posts sent again`,
      ],
      aim: atLeast(AIM_RATIO, ratio.median),
    },
    {
      measure,
      name: `callbacks of ${KINDS.large.label} answered, p99`,
      value: spread(large.map(({ callbackMs }) => callbackMs.p99)),
      unit: 'ms',
      notes: [
        `p50 ${posts(({ callbackMs }) => callbackMs.p50)} ms, max ${posts(({ callbackMs }) => callbackMs.max)} ms`,
        `with ${KINDS.small.label} p99 ${posts(({ callbackMs }) => callbackMs.p99, small)} ms`,
      ],
    },
    {
      measure,
      name: `lateness of ${late.length} deadlines meanwhile, p99`,
      value: spread([lateP99]),
      unit: 'ms',
      notes: [
        `p50 ${shownNumber(percentile(late, 0.5))} ms, max ${shownNumber(percentile(late, 1))} ms, ${early} early of these`,
      ],
      aim: { text: aim.text, met: aim.met && early === 0 },
    },
    {
      measure,
      name: 'resident memory of the conductor, peak',
      value: spread([peak(large)]),
      unit: 'MB',
      notes: [
        `${shownNumber(beforeMb)} before, ${shownNumber(large.at(-1)?.endMb ?? Number.NaN)} at the end`,
        `with ${KINDS.small.label} peak ${shownNumber(peak(small))}`,
      ],
    },
  ];
}
