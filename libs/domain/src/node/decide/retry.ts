import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import { evolve } from '../evolve';
import { nextRetry, ownInspectionProblem } from '../retry';
import type { Deadline, Node, NodeStream } from '../state';
import { inspectionFailed } from './inspected';
import { startInspection } from './provision';

type Elapse = Extract<NodeCommand, { type: 'Elapse' }>;
type Ending = Extract<NodeEvent, { type: 'InspectionFailed' | 'InspectionTimedOut' }>;

/** An abort at the inspector itself: an operator has ended it there (contract: inspection.md §16, 1.19). */
const ENDED_BY_OPERATOR = 'Canceled by operator';

const isEnding = (event: NodeEvent): event is Ending =>
  event.type === 'InspectionFailed' || event.type === 'InspectionTimedOut';

/**
 * Where a policy wants it, an attempt that ended by an error or a timeout is followed by another one after a while. The node is in
 * `inspect failed` until then, as clients know it, under a deadline that every change of state takes away. What an operator
 * ended, or began with data that was there, is left to the operator.
 */
export function withRetry(events: readonly NodeEvent[], stream: NodeStream, context: Context): readonly NodeEvent[] {
  const index = events.findIndex(isEnding);
  const ending = events[index];
  if (!ending || !isEnding(ending) || ending.data.error.includes(ENDED_BY_OPERATOR)) return events;
  const ended = events.slice(0, index).reduce(evolve, stream);
  const { node, counters } = evolve(ended, ending);
  const attempt = ended.node?.inspection;
  if (!node || !attempt || attempt.usesData) return events;
  const next = nextRetry(node.fields, attempt.retry ?? 0, context.policy.inspectRetry, context.now);
  if (!next) return events;
  const { number, of, due } = next;
  const { error } = ending.data;
  return [
    ...events,
    {
      type: 'InspectionRetryPlanned',
      data: {
        at: context.now,
        attempt: attempt.attempt,
        deadline: { n: counters.deadline + 1, due },
        retry: { number, of },
        error: `${sentence(error)} Retry ${number} of ${of} begins at ${new Date(due).toISOString()}.`,
      },
    },
  ];
}

const sentence = (error: string): string => (/[.!?]$/.test(error) ? error : `${error}.`);

/** Its time has come: as if the operator had asked for the inspection again. What keeps it from starting is how the attempt ends. */
export function retried(
  deadline: Deadline,
  node: Node,
  command: Elapse,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  const retry = deadline.retry ?? { number: 1, of: 1 };
  const { problem = null, managedBoot } = command.start ?? {};
  const started = startInspection({ managedBoot, retry }, node, stream, context);
  const error = problem ?? ownInspectionProblem(node.fields.driver_info);
  if (error === null) return [started];
  const begun = evolve(stream, started);
  if (!begun.node) return [];
  return [
    started,
    inspectionFailed(
      { effect: started.data.effect, cause: 'start failed', error, history: true },
      command.inspect,
      begun.node,
      begun,
      context,
    ),
  ];
}
