import { numberAt, objectAt } from '../introspection/json';
import { HookFailure } from './types';
import type { Hook } from './types';

/** A count of nothing is no count: what the node has stays. */
export const cpus: Hook = {
  after: [],
  main(progress, { inventory }) {
    const count = Math.trunc(numberAt(objectAt(inventory, 'cpu'), 'count') ?? 0);
    if (count > 0) return { ...progress, properties: { ...progress.properties, cpus: count } };
    return { ...progress, warnings: [...progress.warnings, 'cpus: the inventory has no number of CPUs'] };
  },
};

export const memory: Hook = {
  after: [],
  main(progress, { inventory }) {
    const megabytes = numberAt(objectAt(inventory, 'memory'), 'physical_mb');
    if (megabytes === null) throw new HookFailure('memory: the inventory has no size of the memory');
    return { ...progress, properties: { ...progress.properties, memory_mb: Math.trunc(megabytes) } };
  },
};
