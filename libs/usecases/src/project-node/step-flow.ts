import { stepName, works } from '@lib/domain';
import type { Node, NodeEvent, WorkName, WorkStep } from '@lib/domain';

type FlowEvent = Extract<NodeEvent, { type: 'WorkStarted' | 'WorkFinished' }>;

interface FlowEntry {
  readonly text: string;
  readonly type: string;
  readonly byUser: boolean;
  readonly isNews: true;
}

const nouns: Readonly<Partial<Record<WorkName, string>>> = {
  clean: 'Automated cleaning',
  'manual clean': 'Manual cleaning',
  deploy: 'Deployment',
  service: 'Servicing',
};

/** A list of a thousand steps is told of by its beginning. */
const NAMED_MAX = 20;

function listed(steps: readonly WorkStep[]): string {
  const names = steps.slice(0, NAMED_MAX).map(stepName).join(', ');
  const more = steps.length - NAMED_MAX;
  return more > 0 ? `${names} and ${more} more` : names;
}

const counted = (count: number): string => (count === 1 ? '1 step' : `${count} steps`);

const entry = (work: WorkName, what: string, byUser: boolean): FlowEntry => ({
  text: `${nouns[work] ?? work} ${what}`,
  type: works[work].historyType,
  byUser,
  isNews: true,
});

/**
 * Steps that begin, and steps that have all been taken; one that fails is the entry of that failure (contract: node-api.md §18).
 * The event says whether it is told at all.
 */
export function flowEntry(event: FlowEvent, before: Node): FlowEntry | null {
  const { history, work, steps } = event.data;
  if (!history) return null;
  const begins = (name: WorkName, byUser: boolean) =>
    entry(name, `started, ${counted(steps?.length ?? 0)}: ${listed(steps ?? [])}`, byUser);
  if (event.type === 'WorkStarted') return begins(work, true);
  const next = event.data.next?.task;
  if (next?.kind === 'work') return begins(next.work, false);
  return entry(work, `finished, ${counted(before.work?.steps.length ?? 0)} taken`, false);
}
