/** `npm run bench`: what the stack can do, beside the bare parts that it is made of. Aims are stated, they are no gates. */
import { sleep } from '../stack';
import { Bed } from './bed';
import { thisMachine, type Machine } from './machine';
import { MemoryWatch } from './memory';
import { create, inspect, patch } from './measures/commands';
import { cycles } from './measures/cycles';
import { deadlines } from './measures/deadlines';
import { fold } from './measures/fold';
import { inspections } from './measures/inspections';
import { idleRow, loadedRow, single } from './measures/memory';
import { list, pages, show } from './measures/reads';
import { soak } from './measures/soak';
import type { Row } from './rows';
import { full, quick } from './sizes';

export { machineText } from './machine';
export { rowText, type Row } from './rows';
export { runWorker } from './workers';

export interface BenchOptions {
  readonly quick?: boolean;
  /** Measures by name; all without it. */
  readonly only?: readonly string[];
  /** Minutes of a soak, in the place of the measures. */
  readonly soakMinutes?: number;
  readonly profile?: string;
  readonly progress: (line: string) => void;
  readonly onRow: (row: Row) => void;
}

export interface Report {
  readonly machine: Machine;
  readonly seconds: number;
  readonly rows: readonly Row[];
}

type Measure = (bed: Bed) => Promise<Row[]>;

/** In the order in which the log grows. */
const measures: Readonly<Record<string, readonly Measure[]>> = {
  show: [(bed) => show(bed, bed.sizes.nodes.small)],
  list: [(bed) => list(bed, bed.sizes.nodes.small)],
  commands: [create, patch, inspect],
  cycles: [cycles],
  inspections: [inspections],
  deadlines: [deadlines],
  'pages-middle': [(bed) => pages(bed, bed.sizes.nodes.middle)],
  'show-large': [(bed) => show(bed, bed.sizes.nodes.large)],
  'list-large': [(bed) => list(bed, bed.sizes.nodes.large)],
  'pages-large': [(bed) => pages(bed, bed.sizes.nodes.large)],
  fold: [fold],
  memory: [single],
};

export const measureNames = Object.keys(measures);

/** Rejects when a measure does not come to its end: wrong answers, a stack that does not start. */
export async function runBench(options: BenchOptions): Promise<Report> {
  const { progress, onRow, only = measureNames, soakMinutes, profile } = options;
  const machine = thisMachine();
  const startedAt = performance.now();
  const rows: Row[] = [];
  const tell = (some: readonly Row[]): void => {
    for (const row of some) {
      rows.push(row);
      onRow(row);
    }
  };
  progress('starting the stack');
  const bed = await Bed.open({ sizes: options.quick ? quick : full, progress, profile });
  const watch = new MemoryWatch(() => bed.pids);
  try {
    await sleep(bed.sizes.settleMs);
    tell([idleRow(bed)]);
    if (soakMinutes !== undefined) tell(await soak(bed, soakMinutes));
    else {
      for (const name of only) for (const measure of measures[name] ?? []) tell(await measure(bed));
    }
    tell([loadedRow(bed, watch.stop())]);
  } catch (error) {
    const odd = bed.stack
      .logs()
      .split('\n')
      .filter((line) => !line.includes('"level":"info"'));
    progress(`what the services said last:\n${odd.slice(-20).join('\n')}`);
    throw error;
  } finally {
    watch.stop();
    await bed.close();
  }
  return { machine, seconds: Math.round((performance.now() - startedAt) / 1000), rows };
}
