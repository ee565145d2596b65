import type { Deadline, Node, NodeEvent, NodeStream } from '..';
import { isHeld } from '..';
import {
  defaultTarget,
  finalPowerStateOf,
  isCallbackWait,
  isHold,
  isWork,
  transitionRows,
  waitTimeoutOf,
} from '../../states';
import type { ProvisionState } from '../../states';

/** Laws that hold after every event of every history. Each answers with what is wrong, if anything. */
type Law<Subject> = (subject: Subject) => string | null;

const rows = new Set(transitionRows().map(({ from, to }) => `${from} -> ${to}`));
const waitsFor = ['abort', 'set boot device', 'manage'];

/** An operator may have moved it, but never forward. */
const isDueAt = (due: number, { due: actual, lastWord }: Deadline): boolean =>
  lastWord === undefined ? actual === due : actual >= due;

const isPaused = (state: ProvisionState): boolean => isCallbackWait(state) || isHold(state);

/** The timeout in force where the node waits, in seconds; undefined where nothing says. */
export const waitSeconds = ({ provisionState, inspection, work }: Node): number | undefined =>
  provisionState === 'inspect wait' ? inspection?.timeoutSeconds : work?.wait?.seconds;

/** Manual cleaning names its target itself (contract: state-machine.json, transition_bookkeeping). */
const isCleanedByHand = ({ provisionState, targetProvisionState }: Node): boolean =>
  targetProvisionState === 'manageable' && /^clean(ing| )/.test(provisionState);

const laws: Readonly<Record<string, Law<Node>>> = {
  'target_provision_state is what the table says': (node) =>
    node.targetProvisionState === defaultTarget(node.provisionState) || isCleanedByHand(node)
      ? null
      : String(node.targetProvisionState),

  'an allocation is the instance of its node': ({ allocation, fields }) =>
    allocation === null || allocation.uuid === fields.instance_uuid ? null : `${fields.instance_uuid}`,

  'a reservation belongs to an open effect': ({ reservation, effects }) =>
    reservation === null || effects.some(({ n }) => n === reservation.effect) ? null : `effect ${reservation.effect}`,

  'an intent holds the node by its own open effect': ({ intent, reservation }) =>
    intent === null || reservation?.effect === intent.effect ? null : `intent of effect ${intent.effect}`,

  'a state of work is held by its work': ({ provisionState, reservation }) =>
    !isWork(provisionState) || reservation !== null ? null : `${provisionState} without reservation`,

  'work is open exactly in its own states': ({ provisionState, work }) => {
    const isOfWork = (isWork(provisionState) && provisionState !== 'inspecting') || isPaused(provisionState);
    return isOfWork === (work !== null) ? null : `${provisionState} with ${JSON.stringify(work)}`;
  },

  'work waits for a callback exactly in the states for it': ({ provisionState, work }) =>
    isCallbackWait(provisionState) === ((work?.wait ?? null) !== null)
      ? null
      : `${provisionState} with ${JSON.stringify(work?.wait)}`,

  'an attempt is open exactly in the two states of inspection': ({ provisionState, inspection }) =>
    (provisionState === 'inspecting' || provisionState === 'inspect wait') === (inspection !== null)
      ? null
      : `${provisionState} with ${JSON.stringify(inspection)}`,

  'a state that waits has one deadline, exactly when it has a timeout': (node) => {
    const { provisionState, deadlines } = node;
    const isEndless = waitSeconds(node) === 0;
    const expected = waitTimeoutOf(provisionState) && !isEndless ? 1 : 0;
    const waits = deadlines.filter(({ purpose }) => purpose !== 'give up' && purpose !== 'retry');
    return waits.length === expected ? null : `${waits.length} deadlines in ${provisionState}`;
  },

  'a retry waits after a failure, one at most, and within its number': ({ provisionState, deadlines }) => {
    const retries = deadlines.filter(({ purpose }) => purpose === 'retry');
    const isSound = retries.length <= (provisionState === 'inspect failed' ? 1 : 0);
    const isCounted = retries.every(({ retry }) => retry && retry.number >= 1 && retry.number <= retry.of);
    return isSound && isCounted ? null : `${JSON.stringify(retries)} in ${provisionState}`;
  },

  'the deadline of inspect wait belongs to the attempt and counts from its start': ({ inspection, deadlines }) => {
    const due = (inspection?.startedAt ?? 0) + Math.ceil((inspection?.timeoutSeconds ?? 0) * 1000);
    const waits = deadlines.filter(({ purpose }) => purpose === 'inspect wait');
    return waits.every((one) => isDueAt(due, one) && one.attempt === inspection?.attempt) ? null : `due is not ${due}`;
  },

  'the deadline of a callback counts from the entry into its wait': ({ provisionUpdatedAt, work, deadlines }) => {
    const due = (provisionUpdatedAt ?? 0) + Math.ceil((work?.wait?.seconds ?? 0) * 1000);
    const waits = deadlines.filter(({ purpose }) => purpose === 'callback');
    return waits.every((one) => isDueAt(due, one)) ? null : `due is not ${due}`;
  },

  "a peer's time runs exactly while its word is awaited": ({ intent, deadlines }) => {
    const awaited = intent !== null && waitsFor.includes(intent.kind) ? [intent.effect] : [];
    const running = deadlines.filter(({ purpose }) => purpose === 'give up').map(({ effect }) => effect);
    return JSON.stringify(running) === JSON.stringify(awaited) ? null : `${JSON.stringify(running)} runs`;
  },

  'target_power_state is where the last open power effect leads': ({ effects, targetPowerState }) => {
    const task = effects.map((effect) => effect.task).findLast(({ kind }) => kind === 'power');
    const expected = task?.kind === 'power' ? finalPowerStateOf(task.target) : null;
    return targetPowerState === expected ? null : `${targetPowerState} instead of ${expected}`;
  },
};

export const brokenLaws = (node: Node): readonly string[] =>
  Object.entries(laws).flatMap(([law, holds]) => {
    const problem = holds(node);
    return problem === null ? [] : [`${law}: ${problem}`];
  });

/** What is wrong with a step from one state to the next. */
export function brokenStep(before: NodeStream, event: NodeEvent, after: NodeStream): readonly string[] {
  const from = before.node?.provisionState;
  const to = after.node?.provisionState;
  const offTable = from !== undefined && to !== undefined && from !== to && !rows.has(`${from} -> ${to}`);
  const opened = (after.node?.effects ?? []).filter(({ n }) => !before.node?.effects.some((old) => old.n === n));
  const set = (after.node?.deadlines ?? []).filter(({ n }) => !before.node?.deadlines.some((old) => old.n === n));
  return [
    ...(offTable ? [`${event.type} moves ${from} -> ${to}, which is no row of the table`] : []),
    ...opened.filter(({ n }) => n <= before.counters.effect).map(({ n }) => `effect ${n} was used before`),
    ...set.filter(({ n }) => n <= before.counters.deadline).map(({ n }) => `deadline ${n} was used before`),
    ...(event.type === 'InspectionStarted' && event.data.attempt !== before.counters.attempt + 1
      ? [`attempt ${event.data.attempt} follows ${before.counters.attempt}`]
      : []),
    ...(Object.entries(before.counters) as [keyof NodeStream['counters'], number][])
      .filter(([name, value]) => after.counters[name] < value)
      .map(([name]) => `counter ${name} went back`),
    ...tooEarly(before, event),
    ...wrongRetry(before, event),
  ];
}

/** Nothing ends by a deadline before that is due, nor while it is held. */
function tooEarly({ node }: NodeStream, event: NodeEvent): readonly string[] {
  if (event.type !== 'InspectionTimedOut' && event.type !== 'WorkTimedOut') return [];
  const deadline = node?.deadlines.find(({ n }) => n === event.data.deadline.n);
  if (!deadline || deadline.due !== event.data.deadline.due) return ['a deadline passed that was not open'];
  if (node?.fields.maintenance || node?.intent || typeof deadline.pausedAt === 'number')
    return ['a held deadline passed'];
  return event.data.at < deadline.due ? [`a deadline passed ${deadline.due - event.data.at} ms early`] : [];
}

/** Nobody's inspection begins by itself but the retry that waits, when it is due and nothing holds it. */
function wrongRetry({ node }: NodeStream, event: NodeEvent): readonly string[] {
  if (event.type !== 'InspectionStarted' || event.data.retry === undefined) return [];
  const deadline = node?.deadlines.find(({ purpose }) => purpose === 'retry');
  if (!node || !deadline || deadline.retry?.number !== event.data.retry.number)
    return ['a retry began that did not wait'];
  if (isHeld(node, deadline)) return ['a held retry began'];
  return event.data.at < deadline.due ? [`a retry began ${deadline.due - event.data.at} ms early`] : [];
}

const endings: readonly string[] = [
  'InspectionFinished',
  'InspectionFailed',
  'InspectionTimedOut',
  'InspectionAborted',
  'InspectionRemoved',
];

/** Endings of each attempt that was started, by its number. */
export function endingsOf(events: readonly NodeEvent[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const event of events) {
    if (event.type === 'InspectionStarted') found.set(event.data.attempt, []);
    if (!endings.includes(event.type) || !('attempt' in event.data)) continue;
    const list = found.get(event.data.attempt ?? 0);
    if (!list) throw new Error(`${event.type} ends attempt ${event.data.attempt}, which never started`);
    list.push(event.type);
  }
  return found;
}
