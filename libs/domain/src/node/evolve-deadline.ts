import type { DeadlineEvent } from './deadline-events';
import type { Deadline, LastWord, Node } from './state';

const words: Readonly<Record<DeadlineEvent['type'], LastWord['word']>> = {
  DeadlineExtended: 'extended',
  DeadlinePaused: 'paused',
  DeadlineResumed: 'resumed',
};

/** Folds an operator's word on a deadline into its node. */
export function evolveDeadline(node: Node, { type, data }: DeadlineEvent): Node {
  const { at, by, reason, deadline } = data;
  const lastWord: LastWord = { word: words[type], at, by, reason };
  const said = (one: Deadline): Deadline => ({
    ...one,
    due: deadline.due,
    lastWord,
    pausedAt: pausedAt(type, one, at),
  });
  return { ...node, deadlines: node.deadlines.map((one) => (one.n === deadline.n ? said(one) : one)) };
}

function pausedAt(type: DeadlineEvent['type'], { pausedAt: before }: Deadline, at: number): number | null {
  if (type === 'DeadlinePaused') return at;
  return type === 'DeadlineResumed' ? null : (before ?? null);
}
