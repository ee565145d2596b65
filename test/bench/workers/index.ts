import { runLoad } from '../load';
import { driveCycles } from './drive-cycles';
import { driveMachines } from './drive-machines';
import { folds } from './fold-log';
import { servers } from './servers';
import { serveTasks } from './worker';

/** What `scripts/bench.mjs` runs with BENCH_WORKER: a process that does one thing beside the stack. */
export function runWorker(): void {
  serveTasks({ runLoad, driveCycles, driveMachines, ...folds, ...servers });
}

export { Worker } from './worker';
