import type { Context, InspectInterfaceFacts } from '../commands';
import type { Effect, EffectTask, WaitOutcome } from '../effects';
import type { Node, NodeStream } from '../state';
import { isFastTrack } from './fast-track';

export type EndingCause = 'finished' | 'failed' | 'timed out' | 'aborted' | 'start failed';

/** Whether this ending powers the machine off (contract: inspection.md §4.4 and the RULE of §8). */
function powersOff(cause: EndingCause, facts: InspectInterfaceFacts, node: Node, { policy }: Context): boolean {
  if (node.inspection?.usesData) return false;
  if (!policy.inspectorPowerOff || isFastTrack(node, policy.fastTrack) || facts.powerOff === 'never') return false;
  if (facts.powerOff === 'always') return cause !== 'start failed' || node.inspection?.manageBoot === true;
  return cause === 'timed out' || node.inspection?.manageBoot === true;
}

const powerTask = (node: Node): EffectTask => ({
  kind: 'power',
  target: node.fields.disable_power_off ? 'rebooting' : 'power off',
  timeoutSeconds: null,
  cleanUp: true,
});

/** What was prepared for a ramdisk that we booted goes at every ending. */
const bootTasks = ({ inspection, fields }: Node): EffectTask[] =>
  inspection?.manageBoot === true
    ? [{ kind: 'clean up boot', interface: inspection.bootInterface ?? fields.boot_interface }]
    : [];

/** Effects that an ending leaves behind, in their order; they never change the provision state. */
export function cleanUpAfter(
  cause: EndingCause,
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  context: Context,
): readonly Effect[] {
  const tasks = [
    ...bootTasks(node),
    ...(powersOff(cause, facts, node, context) ? [powerTask(node)] : []),
    ...(cause === 'finished' ? [] : endingTasks(outcomes[cause], facts, node)),
  ];
  return numbered(tasks, node, stream);
}

const numbered = (tasks: readonly EffectTask[], { inspection }: Node, { counters }: NodeStream): readonly Effect[] =>
  tasks.map((task, i) => ({ n: counters.effect + 1 + i, attempt: inspection?.attempt ?? null, task }));

const outcomes: Readonly<Record<Exclude<EndingCause, 'finished'>, WaitOutcome>> = {
  failed: 'fail',
  'start failed': 'fail',
  'timed out': 'timeout',
  aborted: 'abort',
};

const endingTasks = (outcome: WaitOutcome, { hearsOfEndings }: InspectInterfaceFacts, node: Node): EffectTask[] =>
  hearsOfEndings && node.inspection?.waited
    ? [{ kind: 'tell ending', interface: node.inspection.interface, outcome }]
    : [];

/** What follows once an inspection that found its data is cleaned up: only its interface is still to be told. */
export const afterCleanUp = (
  outcome: 'done' | 'fail',
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
): readonly Effect[] => numbered(endingTasks(outcome, facts, node), node, stream);

/** What is left to clean up after a step of it, for an inspection that found its data. */
export function nextCleanUp(
  done: Effect,
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  context: Context,
): Effect | null {
  if (done.task.kind !== 'clean up boot' || !powersOff('finished', facts, node, context)) return null;
  return { n: stream.counters.effect + 1, attempt: done.attempt, task: powerTask(node) };
}
