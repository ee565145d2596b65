import { Refusal, decide, reservedStep, stepName } from '@lib/domain';
import type { Node, NodeEvent, PowerTarget, WorkStep } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import type { Call, Chance, Clock, EventReader, HardwareRegistry, ReadModel, SecretBox } from '@lib/ports';
import type { ConductorOptions } from '../handle-command';
import { machineOf } from '../machine';
import type { NodeCommits } from '../node-commits';
import { nodeEventOf, nodeStreamId } from '../node-streams';
import { reasonOf } from './reason';

export interface ChildrenDeps {
  readonly commits: NodeCommits;
  readonly reader: Pick<EventReader, 'readStream'>;
  readonly readModel: Pick<ReadModel, 'list'>;
  readonly hardware: HardwareRegistry;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly options: ConductorOptions;
  /** For time that is spent waiting for other effects: it is not a worker's, or those might find none. */
  aside<T>(wait: () => Promise<T>): Promise<T>;
}

/** More children than any machine has; they are taken one by one, and none is left out in silence. */
const CHILDREN_MAX = 1000;
/** Between two looks at a child; ever longer, as a change of power takes its time and there may be many parents. */
const LOOK_MS_MIN = 250;
const LOOK_MS_MAX = 1000;
const PAGE = 500;

/**
 * A step that a parent's work takes on its children instead (contract: node-api.md §10, `execute_on_child_nodes`): each gets a
 * power change of its own, in its own log, and the next one only when that has ended well. Throws with the child's name.
 */
export async function takeOnChildren(step: WorkStep, parent: string, call: Call, deps: ChildrenDeps): Promise<void> {
  const reserved = reservedStep(step);
  if (reserved?.does !== 'power') {
    throw new Error(`${stepName(step)} is no step for child nodes: those take power_on, power_off and reboot`);
  }
  for (const child of await patiently(() => chosenChildren(step, parent, deps), call, deps)) {
    await call.stillStands();
    try {
      const effect = await patiently(
        (isAgain) => changeBegun(child, reserved.target, parent, isAgain, deps),
        call,
        deps,
      );
      if (effect !== undefined) await deps.aside(() => ended(child, effect, call, deps));
    } catch (error) {
      throw new Error(`child node ${child}: ${reasonOf(error)}`, { cause: error });
    }
  }
}

/** A store that is away is no failure of a machine: it is asked again. `isAgain`: it may have been done already. */
async function patiently<T>(ask: (isAgain: boolean) => Promise<T>, call: Call, { clock }: ChildrenDeps): Promise<T> {
  for (let isAgain = call.isRepeated === true; ; isAgain = true) {
    try {
      return await ask(isAgain);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      await pause(LOOK_MS_MAX, clock, call.signal);
    }
  }
}

async function chosenChildren(
  { limit_child_node_execution: limit }: WorkStep,
  parent: string,
  { readModel }: ChildrenDeps,
): Promise<readonly string[]> {
  const rows = await readModel.list({
    kind: 'node',
    where: [{ column: 'parent_node', is: 'equal', value: parent }],
    sort: { column: 'seq', descending: false },
    limit: CHILDREN_MAX + 1,
  });
  if ((rows?.length ?? 0) > CHILDREN_MAX) throw new Error(`the node has more than ${CHILDREN_MAX} child nodes`);
  const children = (rows ?? []).map(({ id }) => id);
  const strange = limit?.find((one) => !children.some((child) => isSame(child, one)));
  if (strange !== undefined) throw new Error(`${strange} is no child of the node`);
  return limit ? children.filter((child) => limit.some((one) => isSame(child, one))) : children;
}

/** Two spellings of a UUID. */
const isSame = (one: string, other: string): boolean => bare(one) === bare(other);
const bare = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase();

/** Asks the child for the change; gives the number of its effect. */
async function changeBegun(
  child: string,
  target: PowerTarget,
  parent: string,
  isAgain: boolean,
  deps: ChildrenDeps,
): Promise<number | undefined> {
  const { commits, clock, chance, options, hardware, box } = deps;
  const now = clock.now();
  const meta = {
    commandId: chance.uuid(),
    requestId: null,
    actor: null,
    source: `conductor/${options.host}`,
    at: now,
    causation: `a step of the parent node ${parent}`,
  };
  let underWay: number | undefined;
  const { events } = await commits.commit(child, meta, async ({ stream }) => {
    if (!stream.node) throw new Refusal('NODE_NOT_FOUND', 'it is gone');
    underWay = isAgain ? changeOf(stream.node, target) : undefined;
    if (underWay !== undefined) return { events: [] };
    const power = hardware.power(stream.node.fields.power_interface);
    const problem = power.validate(await machineOf(stream.node, box));
    const context = { now, host: options.host, policy: options.policy };
    return { events: decide({ type: 'ChangePower', target, timeoutSeconds: null, problem }, stream, context) };
  });
  const asked = events.find((event) => event.type === 'PowerChangeRequested');
  return asked?.type === 'PowerChangeRequested' ? asked.data.effect.n : underWay;
}

/** What was asked of the child before the parent's conductor died, or the store's answer was lost, is still under way: it is waited for, and not asked again. */
const changeOf = ({ effects }: Node, target: PowerTarget): number | undefined =>
  effects.find(({ task }) => task.kind === 'power' && task.target === target)?.n;

/** Resolves when the change has ended well; throws what else became of it. */
async function ended(child: string, effect: number, call: Call, deps: ChildrenDeps): Promise<void> {
  let isAsked = false;
  let lookMs = LOOK_MS_MIN;
  for (let version = 0; ;) {
    const after = version;
    const page = await patiently(() => deps.reader.readStream(nodeStreamId(child), after, PAGE), call, deps);
    version = page.at(-1)?.version ?? version;
    for (const recorded of page) {
      const event = nodeEventOf(recorded);
      const outcome = event && isAsked ? outcomeIn(event, effect) : null;
      isAsked ||= event?.type === 'PowerChangeRequested' && event.data.effect.n === effect;
      if (outcome === 'well') return;
      if (outcome) throw new Error(outcome.failure);
    }
    if (page.length === PAGE) continue;
    await pause(lookMs, deps.clock, call.signal);
    lookMs = Math.min(LOOK_MS_MAX, lookMs * 1.2);
  }
}

function outcomeIn(event: NodeEvent, effect: number): 'well' | { readonly failure: string } | null {
  switch (event.type) {
    case 'PowerChanged':
      return event.data.effect === effect ? 'well' : null;
    case 'PowerChangeFailed':
      return event.data.effect === effect ? { failure: event.data.error } : null;
    case 'EffectClosed':
      return event.data.effect === effect ? { failure: 'the power change was given up' } : null;
    case 'NodeRemoved':
      return { failure: 'it was removed' };
    default:
      return null;
  }
}

const pause = (ms: number, clock: Clock, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      timer.cancel();
      reject(new Error('nobody waits for it any more'));
    };
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
