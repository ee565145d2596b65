import { actWords } from '@lib/domain';
import type { Effect, EffectTask, NodeEvent, StoredInventory, WorkName } from '@lib/domain';
import { nodeEventOf } from '@lib/usecases/node-streams';
import { clockText } from '../screen';
import type { ShownEvent } from './shown-event';

/** One event in words. */
export interface EventWords {
  /** What happened, past tense. */
  readonly what: string;
  readonly details: readonly string[];
  /** False for a type of another release. */
  readonly known: boolean;
}

/** Tasks of the effects seen so far, by number: an outcome names only the number. */
export type Tasks = Map<number, EffectTask>;

/** The events of one node, in order, in words. `tasks` goes on where an earlier call ended. */
export const inWords = (events: readonly ShownEvent[], tasks: Tasks = new Map()): EventWords[] =>
  events.map((event) => wordsOf(event, tasks));

function wordsOf(event: ShownEvent, tasks: Tasks): EventWords {
  for (const { n, task } of effectsIn(event.data)) tasks.set(n, task);
  const known = nodeEventOf({ type: event.type, data: JSON.stringify(event.data) });
  if (known === null) {
    const what = (event.type.match(/[A-Z]+[a-z0-9]*/g) ?? [event.type]).join(' ').toLowerCase();
    return { what, details: ['unknown to this release', JSON.stringify(event.data)], known: false };
  }
  const [what, ...details] = tell(known, tasks);
  return { what, details: details.filter((detail) => detail !== ''), known: true };
}

const isEffect = (value: unknown): value is Effect =>
  typeof value === 'object' && value !== null && 'n' in value && 'task' in value;

const effectsIn = (data: ShownEvent['data']): Effect[] =>
  Object.values(data)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isEffect);

const workWords: Readonly<Record<WorkName, string>> = {
  verify: 'verification',
  clean: 'cleaning',
  deploy: 'deployment',
  'tear down': 'tear down',
  'manual clean': 'manual cleaning',
  adopt: 'adoption',
  rescue: 'rescue',
  unrescue: 'unrescue',
  service: 'service',
};

const taskWords = (task: EffectTask | undefined): string => {
  // An outcome whose effect was opened by an event that was not read.
  if (task === undefined) return 'effect';
  switch (task.kind) {
    case 'power':
      return task.target === 'rebooting' ? 'reboot' : task.target;
    case 'work':
      return workWords[task.work];
    case 'set boot device':
      return `boot device ${task.device}`;
    case 'manage':
      return actWords(task.act);
    case 'clean up boot':
      return `clean-up of the ${task.interface} boot`;
    case 'tell ending':
      return `tell ${task.interface} of the ending`;
    default:
      return task.kind;
  }
};

type Told = readonly [what: string, ...details: string[]];

const attempt = (n: number): string => `attempt ${n}`;
const thenWords = (effects: readonly Effect[]): string =>
  effects.length === 0 ? '' : `then ${effects.map(({ task }) => taskWords(task)).join(', ')}`;
const storedWords = (stored: StoredInventory | null): string =>
  stored ? `inventory ${stored.inventory.slice(0, 12)}` : 'no inventory';
const timeoutWords = (seconds: number, from: 'node' | 'settings'): string =>
  seconds === 0 ? 'never times out' : `timeout ${seconds} s (${from === 'node' ? "the node's own" : 'settings'})`;

function tell(event: NodeEvent, tasks: Tasks): Told {
  switch (event.type) {
    case 'NodeEnrolled': {
      const { fields, state } = event.data;
      return ['enrolled', `driver ${fields.driver}`, `inspect interface ${fields.inspect_interface}`, `state ${state}`];
    }
    case 'NodeUpdated':
      return ['updated', ...Object.entries(event.data.changed).map(([name, value]) => fieldWords(name, value))];
    case 'NodeRemoved':
      return ['removed'];
    case 'MaintenanceSet':
      return ['maintenance set', event.data.reason ?? ''];
    case 'MaintenanceCleared':
      return ['maintenance cleared'];
    case 'NodeAllocated':
      return ['allocated', `allocation ${event.data.allocation.uuid}`];
    case 'NodeTraitsChanged':
      return ['traits changed', event.data.traits.join(', ') || 'none'];
    case 'NodeManaged':
      return ['managed', `from ${event.data.from}`];
    case 'WorkStarted':
      return [`${workWords[event.data.work]} started`, `state ${event.data.state}`];
    case 'WorkStepDone':
      return [`step ${event.data.step + 1} of the ${workWords[event.data.work]} done`];
    case 'WorkWaiting': {
      const { work, state, timeoutSeconds, effect } = event.data;
      const what = effect === null ? `${workWords[work]} is held no longer` : `${workWords[work]} waits`;
      return [what, `state ${state}`, timeoutWords(timeoutSeconds, 'settings')];
    }
    case 'WorkHeld':
      return [`${workWords[event.data.work]} is held`, `state ${event.data.state}`];
    case 'WorkResumed':
      return [`${workWords[event.data.work]} goes on`, `state ${event.data.state}`, event.data.agent?.url ?? ''];
    case 'WorkAbortPostponed':
      return [`${workWords[event.data.work]} ends after this step`, event.data.reason ?? ''];
    case 'WorkAborted':
      return [`${workWords[event.data.work]} aborted`, event.data.error, `state ${event.data.state}`];
    case 'WorkTimedOut':
      return [`${workWords[event.data.work]} timed out`, event.data.error, `state ${event.data.state}`];
    case 'WorkFinished':
      return [`${workWords[event.data.work]} finished`, `state ${event.data.state}`, powerWords(event.data.powerState)];
    case 'WorkFailed':
      return [`${workWords[event.data.work]} failed`, event.data.error, `state ${event.data.state}`];
    case 'WorkInterrupted':
      return ['work interrupted', event.data.error, `state ${event.data.state}`];
    case 'DeadlineExtended':
    case 'DeadlineResumed': {
      const { deadline, reason } = event.data;
      const what = event.type === 'DeadlineExtended' ? 'deadline extended' : 'deadline resumed';
      return [what, `until ${clockText(deadline.due)}`, reason ?? ''];
    }
    case 'DeadlinePaused':
      return ['deadline paused', event.data.reason ?? ''];
    case 'PowerChangeRequested':
      return [`${taskWords(event.data.effect.task)} asked for`];
    case 'PowerChanged':
      return [`${event.data.powerState ?? 'power unknown'}`, event.data.changed ? '' : 'it was already'];
    case 'PowerChangeFailed':
      return [`${taskWords(tasks.get(event.data.effect))} failed`, event.data.error];
    case 'PowerStateSeen':
      return [`${event.data.powerState}, seen at the machine`];
    case 'PowerControlLost':
      return ['power failure', event.data.error];
    case 'PowerControlRegained':
      return ['answers again', event.data.powerState];
    case 'CleanUpFailed':
      return ['clean-up failed', event.data.problem];
    case 'BootDeviceChangeRequested':
      return [`${taskWords(event.data.effect.task)} asked for`];
    case 'BootDeviceChanged':
      return [`boot device ${event.data.device}`, event.data.persistent ? 'for good' : 'for the next boot'];
    case 'BootDeviceChangeRefused':
      return ['boot device refused', event.data.error];
    case 'ManagementRequested':
      return [`${taskWords(event.data.effect.task)} asked for`];
    case 'ManagementDone': {
      const { effect, changed } = event.data;
      const what = effect === null ? 'wish noted' : `${taskWords(tasks.get(effect))} done`;
      return [what, Object.keys(changed).join(', ')];
    }
    case 'ManagementFailed':
      return [`${taskWords(tasks.get(event.data.effect))} failed`, event.data.error];
    case 'PartsTold': {
      const { bios = [], firmware = [] } = event.data.parts;
      return ['told of its parts', `${bios.length} BIOS settings`, `${firmware.length} firmware components`];
    }
    case 'DiscoveryStarted':
      return ['machine discovered'];
    case 'DiscoveryFinished':
      return ['discovery finished', storedWords(event.data.inventory)];
    case 'DiscoveryFailed':
      return ['discovery failed', event.data.error];
    case 'AgentLookedUp':
      return ['ramdisk looked up its node', event.data.tokenDigest === null ? '' : 'got a token'];
    case 'AgentHeartbeat':
      return ['first heartbeat of the ramdisk', event.data.agent?.url ?? ''];
    case 'EffectClosed':
      return [`${taskWords(tasks.get(event.data.effect))} ${event.data.outcome}`];
    default:
      return tellInspection(event);
  }
}

type InspectionEvent = Extract<NodeEvent, { type: `Inspection${string}` }>;

function tellInspection(event: InspectionEvent): Told {
  const nth = attempt(event.data.attempt);
  switch (event.type) {
    case 'InspectionStarted': {
      const { interface: by, timeoutSeconds, timeoutFrom, managedBoot, promotes, reprocesses, retry } = event.data;
      if (promotes !== undefined) return ['inspection started', nth, `with the refused data ${promotes}`];
      if (reprocesses !== undefined)
        return ['inspection started', nth, `with the data of attempt ${reprocesses} again`];
      const boot = managedBoot === undefined ? '' : `booted by ${managedBoot}`;
      const again = retry === undefined ? '' : `retry ${retry.number} of ${retry.of}`;
      return ['inspection started', nth, again, `interface ${by}`, boot, timeoutWords(timeoutSeconds, timeoutFrom)];
    }
    case 'InspectionRetryPlanned': {
      const { retry, deadline } = event.data;
      return [`retry ${retry.number} of ${retry.of} planned`, `at ${clockText(deadline.due)}`];
    }
    case 'InspectionWaiting': {
      const { deadline, deprecatedReturn } = event.data;
      const until = deadline ? `until ${clockText(deadline.due)}` : 'without a deadline';
      const forWhom = event.data.effect === null ? 'inspector' : 'ramdisk';
      return [`waiting for the ${forWhom}`, nth, until, deprecatedReturn ? 'the interface returned INSPECTING' : ''];
    }
    case 'InspectionDataRefused': {
      const { record, why, state } = event.data;
      return ['data refused', why, `state ${state}`, `kept as ${record}`];
    }
    case 'InspectionResumed':
      return ['inspection resumed', nth];
    case 'InspectionCleanUpStarted':
      return ['inspection data in', nth, oddWords(event.data.warnings), thenWords([event.data.next])];
    case 'InspectionFinished': {
      const { inventory, cleanUp, warnings } = event.data;
      return ['inspection finished', nth, storedWords(inventory), oddWords(warnings), thenWords(cleanUp)];
    }
    case 'InspectionFailed':
      return ['inspection failed', nth, event.data.error, thenWords(event.data.cleanUp)];
    case 'InspectionTimedOut':
      return ['inspection timed out', nth, event.data.error, thenWords(event.data.cleanUp)];
    case 'InspectionAbortRequested':
      return ['abort asked for', nth, event.data.reason ?? ''];
    case 'InspectionAbortRefused':
      return ['abort refused', nth, event.data.error];
    case 'InspectionAborted':
      return ['inspection aborted', nth, event.data.error, thenWords(event.data.cleanUp)];
    case 'InspectionRemoved':
      return ['inspection ended by the removal', nth];
    default:
      return event satisfies never;
  }
}

const oddWords = (warnings: readonly string[] = []): string => warnings.join('; ');

const powerWords = (power: string | null): string => (power === null ? '' : power);

/** A changed field: small values as they are, objects by the names in them. */
function fieldWords(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${name} ${JSON.stringify(value)}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? `${name} emptied` : `${name} (${keys.join(', ')})`;
}

/** Who brought it about: the user and the request, or the effect whose outcome it is, else the service. */
export function byWords({ meta }: ShownEvent): string {
  const request = meta.requestId ? meta.requestId.slice(0, REQUEST_ID_SHOWN) : '';
  const by = [meta.actor ?? '', request].filter((word) => word !== '').join(' ');
  return by || meta.causation?.replace(/ claim \d+$/, '') || meta.source || '';
}

/** `req-` and the first group of the UUID: enough to find it in a service's log. */
const REQUEST_ID_SHOWN = 12;
