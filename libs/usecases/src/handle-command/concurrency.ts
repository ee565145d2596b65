import { Refusal } from '@lib/domain';
import type { Node, NodeEvent, ProvisionState, WorkName } from '@lib/domain';
import type { Condition, ReadModel } from '@lib/ports';

/** How many nodes may be in the middle of such work at a time (contract: config.md, max_concurrent_*). */
export interface ConcurrencyOptions {
  readonly deploy: number;
  readonly clean: number;
  /** `[conductor] max_concurrent_per_conductor_group`: counted within the node's group instead of over all nodes. */
  readonly perConductorGroup: boolean;
}

interface Crowd {
  readonly limit: 'deploy' | 'clean';
  readonly works: readonly WorkName[];
  readonly states: readonly ProvisionState[];
}

const crowds: readonly Crowd[] = [
  { limit: 'deploy', works: ['deploy'], states: ['deploying', 'wait call-back', 'deploy hold'] },
  {
    limit: 'clean',
    works: ['clean', 'manual clean', 'tear down'],
    states: ['cleaning', 'clean wait', 'clean hold', 'deleting'],
  },
];

/**
 * Refuses what would begin such work with the limit reached: 503, nothing has happened (contract: node-api.md §10 step 17). The
 * count is of what is stored now; of requests at the same moment a few more than the limit may come through. Work that follows
 * other work of a node (cleaning after the tear-down) is never held up: the machine would be left in the middle.
 */
export async function checkRoom(
  events: readonly NodeEvent[],
  { fields }: Node,
  { readModel, options }: { readonly readModel: ReadModel; readonly options: { concurrency: ConcurrencyOptions } },
): Promise<void> {
  const { concurrency } = options;
  const started = events.flatMap((event) => (event.type === 'WorkStarted' && isRealWork(event) ? event.data.work : []));
  const crowd = crowds.find(({ works }) => started.some((work) => works.includes(work)));
  if (!crowd) return;
  const most = concurrency[crowd.limit];
  const group = concurrency.perConductorGroup ? fields.conductor_group : undefined;
  const where: Condition[] = [{ column: 'provision_state', is: 'in', values: crowd.states }];
  if (group !== undefined) where.push({ column: 'conductor_group', is: 'equal', value: group });
  if ((await readModel.count('node', where, most)) < most) return;
  const within = group === undefined ? '' : ` in the conductor group "${group}"`;
  throw new Refusal(
    'NO_FREE_WORKER',
    `As many nodes as may be are in the middle of such work${within} ([conductor] max_concurrent_${crowd.limit} = ${most}). Try again later.`,
  );
}

/** With automated cleaning off a node passes through `cleaning` without any. */
const isRealWork = ({ data }: Extract<NodeEvent, { type: 'WorkStarted' }>): boolean =>
  data.effect.task.kind === 'work' && data.effect.task.automated !== false;
