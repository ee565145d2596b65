import type { LoadResult } from './load';
import type { Aim, Row } from './rows';
import { shownNumber } from './rows';
import { processorMs } from './memory';
import { median, spread } from './statistics';

export type Slice = (index: number) => Promise<LoadResult>;

/** A slice, and whose processor time it costs. */
export interface Part {
  readonly name: string;
  readonly slice: Slice;
  /** By name of the process. */
  readonly pids: () => Readonly<Record<string, number>>;
}

export interface Comparison {
  readonly measure: string;
  readonly name: string;
  readonly slices: number;
  readonly warmUps: number;
  readonly subject: Omit<Part, 'name'>;
  readonly bare: readonly Part[];
  /** What is wanted of the ratio to the bare part of that name. */
  readonly aim?: { readonly beside: string; readonly of: (ratio: number) => Aim };
}

/** Fails on wrong answers: a fast error is no speed. */
function assertGood(name: string, { failures, answered }: LoadResult): void {
  if (Object.keys(failures).length > 0 || answered === 0)
    throw new Error(`${name}: ${answered} answered, others ${JSON.stringify(failures)}`);
}

/** What a part came to, slice by slice. */
class Results {
  private readonly results: LoadResult[] = [];
  private readonly processorMs = new Map<string, number>();

  constructor(private readonly part: Part) {}

  async run(index: number, counts: boolean): Promise<void> {
    const { name, slice, pids } = this.part;
    const before = processorTimes(pids());
    const result = await slice(index);
    assertGood(name, result);
    if (!counts) return;
    for (const [process, ms] of processorTimes(pids())) {
      this.processorMs.set(process, (this.processorMs.get(process) ?? 0) + ms - (before.get(process) ?? 0));
    }
    this.results.push(result);
  }

  get name(): string {
    return this.part.name;
  }

  perSecond(): number[] {
    return this.results.map((one) => one.perSecond);
  }

  /** Processor time tells the parts apart also where the machine does other work. */
  text(): string {
    const middle = (of: (one: LoadResult) => number): string => shownNumber(median(this.results.map(of)));
    const answered = this.results.reduce((sum, one) => sum + one.answered, 0);
    const each = (ms: number): string => shownNumber((ms * 1000) / answered);
    const sum = [...this.processorMs.values()].reduce((one, other) => one + other, 0);
    const parts = [...this.processorMs].filter(([, ms]) => ms > 0).map(([process, ms]) => `${process} ${each(ms)}`);
    const price = `${each(sum)} us of processor time each (${parts.join(', ')})`;
    return `p50 ${middle(({ p50Ms }) => p50Ms)} ms, p99 ${middle(({ p99Ms }) => p99Ms)} ms, ${price}`;
  }
}

const processorTimes = (pids: Readonly<Record<string, number>>): Map<string, number> =>
  new Map(Object.entries(pids).map(([process, pid]) => [process, processorMs(pid)]));

/** Subject and bare parts in turns, so that what else the machine does meets all of them. One row per bare part. */
export async function compare({ measure, name, slices, warmUps, subject, bare, aim }: Comparison): Promise<Row[]> {
  const own = new Results({ name, ...subject });
  const others = bare.map((part) => new Results(part));
  for (let index = 0; index < warmUps + slices; index += 1) {
    for (const results of [own, ...others]) await results.run(index, index >= warmUps);
  }
  return others.map((other): Row => {
    const theirs = other.perSecond();
    const ratio = spread(own.perSecond().map((one, index) => one / (theirs[index] ?? Number.NaN)));
    return {
      measure,
      name,
      value: spread(own.perSecond()),
      unit: '/s',
      beside: { name: other.name, value: spread(theirs), ratio },
      notes: [`${own.text()} (there ${other.text()})`],
      ...(aim?.beside === other.name ? { aim: aim.of(ratio.median) } : {}),
    };
  });
}
