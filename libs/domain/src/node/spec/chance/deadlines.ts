import type { Deadline, DeadlineChange, Node, NodeCommand, NodeStream } from '../..';
import { changeDeadline } from '../commands';
import { factsOf, numberFrom, pick } from './throws';
import type { Throw } from './throws';

export function elapseOf(stream: NodeStream, chance: Throw): NodeCommand {
  const deadlines = stream.node?.deadlines ?? [];
  const n = numberFrom(
    deadlines.map((deadline) => deadline.n),
    stream.counters.deadline,
    chance,
  );
  const own = deadlines.find((deadline: Deadline) => deadline.n === n)?.attempt;
  return {
    type: 'Elapse',
    n,
    attempt: chance.how % 9 === 8 ? chance.which % 4 : (own ?? 0),
    inspect: factsOf(stream.node),
  };
}

const changes: readonly DeadlineChange[] = [
  { kind: 'extend', seconds: 0.5 },
  { kind: 'extend', seconds: 600 },
  { kind: 'pause' },
  { kind: 'pause' },
  { kind: 'resume' },
  { kind: 'resume' },
];

/** What stands still is mostly let run again, since hardly anything else happens to it. */
export function deadlineChangeOf(node: Node | null, { which, how }: Throw, now: number): NodeCommand {
  const isPaused = node?.deadlines.some(({ pausedAt }) => typeof pausedAt === 'number') ?? false;
  if (isPaused && how % 4 !== 0) return changeDeadline({ kind: 'resume' });
  const change = how % 7 === 6 ? ({ kind: 'move', due: now + which } as const) : pick(changes, which);
  return changeDeadline(change, how % 2 === 0 ? 'a reason' : null);
}
