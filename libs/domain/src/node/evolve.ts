import { noParts, partsAfter, unmanaged } from '../management';
import { finalPowerStateOf, nextState } from '../states';
import type { ProvisionState } from '../states';
import type { Effect } from './effects';
import { enter } from './enter';
import type { At, CleanUp, NodeEvent } from './events';
import { evolvePowerLook, maintainedByHand } from './evolve-power-look';
import { evolveWork, told } from './evolve-work';
import { evolveDeadline } from './evolve-deadline';
import { evolveDiscovery } from './evolve-discovery';
import { evolveManagement } from './evolve-management';
import { closed, intentEnded, opened } from './open-effects';
import { agentForgotten, dateTime, seenMachine, without } from './evolve-machine';
import { allocated, withoutEndedAllocation } from './evolve-allocation';
import { unleasedInfo } from './lessee';
import { isOfMachine } from './state';
import { postedIn } from './posted';
import type { Deadline, Node, NodeStream, RefusedData } from './state';

/** An impossible step in the log is a bug, not a refusal. */
const impossible = (event: NodeEvent): never => {
  throw new Error(`${event.type} cannot follow here`);
};

/**
 * Every ending of an attempt: its deadlines go, its open effects stay until the worker finds that they no longer stand.
 * What is asked of the machine itself is nobody's attempt: it keeps the node until its own outcome.
 */
function endAttempt(node: Node, state: ProvisionState, at: At, cleanUp: CleanUp, keepsAgent = false): Node {
  const other = node.intent && isOfMachine(node.intent) ? node.intent : null;
  const ended: Node = {
    ...enter(node, state, at),
    inspection: null,
    intent: other,
    reservation: other ? node.reservation : null,
    deadlines: node.deadlines.filter(({ effect }) => other !== null && effect === other.effect),
    driverInternalInfo: without(node.driverInternalInfo, 'lookup_bmc_addresses'),
  };
  return settlePower(opened(keepsAgent ? ended : agentForgotten(ended), ...cleanUp));
}

/**
 * The mark of who manages boot goes with every ending but the inspector's own abort and timeout while it is false:
 * there nothing was torn down (contract: inspection.md §4.4).
 */
const marksToDrop = ({ inspection }: Node): readonly string[] =>
  inspection?.interface === 'inspector' && inspection.manageBoot !== true ? [] : [BOOT_MARK];

function endInWait(node: Node, at: At, cleanUp: CleanUp, lastError: string): Node {
  const ended = endAttempt(node, 'inspect failed', at, cleanUp);
  return { ...ended, lastError, driverInternalInfo: without(ended.driverInternalInfo, ...marksToDrop(node)) };
}

const contacted = (node: Node, kind: 'lookup' | 'heartbeat', at: At): Node =>
  node.inspection ? { ...node, inspection: { ...node.inspection, contact: { kind, at } } } : node;

/** The power state that open power effects are heading for. */
function powerExpected(node: Node, effects: readonly Effect[]): Node {
  const last = effects.map((effect) => effect.task).findLast((task) => task.kind === 'power');
  return last?.kind === 'power' ? { ...node, targetPowerState: finalPowerStateOf(last.target) } : node;
}

/** A machine that goes down takes its agent along, also when it turns out to be off already. */
const endsAgent = ({ task }: Effect): boolean => task.kind === 'power' && task.target !== 'power on';

/** The last power effect is what target_power_state shows; null when none is open. */
const settlePower = (node: Node): Node => powerExpected({ ...node, targetPowerState: null }, node.effects);

/** So many are shown; those before them stay in the log. */
const REFUSED_MAX = 10;

const refusedBy = (data: Extract<NodeEvent, { type: 'InspectionDataRefused' }>['data']): RefusedData => {
  const { record: n, at, attempt, state, why, payload, bytes } = data;
  return { n, at, attempt, state, why, payload, bytes, promotedBy: null };
};

const promotedIn = (node: Node, record: number | undefined, attempt: number): Node => ({
  ...node,
  refused: node.refused.map((one) => (one.n === record ? { ...one, promotedBy: attempt } : one)),
});

const taskOf = (node: Node, n: number): Effect['task'] | undefined =>
  node.effects.find((effect) => effect.n === n)?.task;

const BOOT_MARK = 'inspector_manage_boot';

/** Folds one event into a node that exists. Null: the node is gone. */
function evolveNode(node: Node, event: NodeEvent): Node | null {
  switch (event.type) {
    case 'NodeEnrolled':
      return impossible(event);
    case 'NodeRemoved':
      return null;
    case 'NodeUpdated':
      return {
        ...node,
        fields: { ...node.fields, ...event.data.changed },
        // Who is lessee by somebody's word stays so when the instance goes.
        driverInternalInfo:
          event.data.changed.lessee === undefined ? node.driverInternalInfo : unleasedInfo(node.driverInternalInfo),
        keyId: event.data.keyId ?? node.keyId,
      };
    case 'MaintenanceSet':
      return { ...node, fields: maintainedByHand(node.fields, event.data.reason) };
    case 'MaintenanceCleared':
      return { ...node, fields: { ...node.fields, maintenance: false, maintenance_reason: null, fault: null } };
    case 'NodeAllocated':
      return allocated(node, event.data);
    case 'NodeTraitsChanged':
      return { ...node, traits: event.data.traits };
    case 'NodeManaged':
      return enter(node, 'manageable', event.data.at);
    case 'WorkStarted':
    case 'WorkStepDone':
    case 'WorkWaiting':
    case 'WorkHeld':
    case 'WorkResumed':
    case 'WorkAbortPostponed':
    case 'WorkAborted':
    case 'WorkTimedOut':
    case 'WorkFinished':
    case 'WorkFailed':
    case 'WorkInterrupted':
      return evolveWork(node, event);
    case 'DeadlineExtended':
    case 'DeadlinePaused':
    case 'DeadlineResumed':
      return evolveDeadline(node, event);
    case 'InspectionStarted': {
      const { at, attempt, timeoutSeconds, effect, host, managedBoot, retry } = event.data;
      const { promotes, reprocesses } = event.data;
      const usesData = promotes !== undefined || reprocesses !== undefined;
      const entered = enter(node, 'inspecting', at);
      return {
        ...opened(usesData ? promotedIn(entered, promotes, attempt) : agentForgotten(entered), effect),
        posted: postedIn(effect, reprocesses ?? attempt) ?? node.posted,
        lastError: null,
        reservation: { host, effect: effect.n },
        inspection: {
          attempt,
          interface: event.data.interface,
          timeoutSeconds,
          begunAt: at,
          startedAt: at,
          manageBoot: managedBoot === undefined ? null : true,
          bootInterface: managedBoot ?? null,
          waited: false,
          contact: null,
          ...(usesData ? { usesData: true } : {}),
          ...(retry === undefined ? {} : { retry: retry.number }),
        },
      };
    }
    case 'DiscoveryStarted':
    case 'DiscoveryFinished':
    case 'DiscoveryFailed':
      return evolveDiscovery(node, event);
    case 'InspectionDataRefused':
      return { ...node, refused: [...node.refused, refusedBy(event.data)].slice(-REFUSED_MAX) };
    case 'InspectionWaiting': {
      const { at, attempt, effect, deadline, manageBoot, lookupBmcAddresses, next, machine } = event.data;
      const seen = seenMachine(node, at, machine);
      if (!node.inspection || !nextState(node.provisionState, 'wait')) return impossible(event);
      const waiting: Node = {
        ...closed(enter(seen, 'inspect wait', at), effect),
        reservation: null,
        inspection: { ...node.inspection, manageBoot, waited: true },
        driverInternalInfo: {
          ...without(seen.driverInternalInfo, 'lookup_bmc_addresses'),
          ...(manageBoot === null ? {} : { [BOOT_MARK]: manageBoot }),
          ...(lookupBmcAddresses.length === 0 ? {} : { lookup_bmc_addresses: lookupBmcAddresses }),
        },
        deadlines: deadline ? [{ ...deadline, attempt, purpose: 'inspect wait', effect: null }] : [],
      };
      return next ? opened(waiting, next) : waiting;
    }
    case 'InspectionResumed': {
      const { at, effect, host, tokenDigest } = event.data;
      if (!node.inspection) return impossible(event);
      return {
        ...opened(enter(node, 'inspecting', at), effect),
        posted: postedIn(effect, effect.attempt ?? 0) ?? node.posted,
        lastError: null,
        deadlines: [],
        reservation: { host, effect: effect.n },
        inspection: { ...node.inspection, startedAt: at },
        agentTokenDigest: tokenDigest ?? node.agentTokenDigest,
        driverInternalInfo: { ...node.driverInternalInfo, agent_last_heartbeat: dateTime(at) },
      };
    }
    case 'AgentLookedUp': {
      const { at, tokenDigest } = event.data;
      return { ...contacted(node, 'lookup', at), agentTokenDigest: tokenDigest ?? node.agentTokenDigest };
    }
    case 'AgentHeartbeat': {
      const { at, agent } = event.data;
      const heard = contacted(node, 'heartbeat', at);
      if (!agent) return heard;
      return { ...heard, driverInternalInfo: told(node, agent, at) };
    }
    case 'InspectionCleanUpStarted': {
      const { attempt, effect, next, inventory, host, problems = [] } = event.data;
      return {
        ...settlePower(opened(closed(node, effect), next)),
        reservation: { host, effect: next.n },
        intent: { kind: 'clean up', effect: next.n, attempt, inventory, problems },
      };
    }
    case 'InspectionFinished': {
      const { at, effect, inventory, cleanUp, keepsAgent } = event.data;
      if (!node.inspection) return impossible(event);
      const ended = endAttempt(closed(node, effect), 'manageable', at, cleanUp, keepsAgent);
      return {
        ...ended,
        inventory: inventory ?? node.inventory,
        driverInternalInfo: without(ended.driverInternalInfo, BOOT_MARK),
      };
    }
    case 'InspectionFailed': {
      const { at, effect, error, cleanUp, machine, inventory } = event.data;
      if (!node.inspection) return impossible(event);
      const ended = endAttempt(closed(seenMachine(node, at, machine), effect), 'inspect failed', at, cleanUp);
      const unmarked = { ...ended, driverInternalInfo: without(ended.driverInternalInfo, BOOT_MARK) };
      return { ...unmarked, lastError: error, inventory: inventory ?? node.inventory };
    }
    case 'InspectionTimedOut': {
      const { at, error, cleanUp } = event.data;
      if (!node.inspection) return impossible(event);
      return endInWait(node, at, cleanUp, error);
    }
    case 'InspectionAbortRequested': {
      const { attempt, effect, giveUp, host, reason } = event.data;
      const deadline: Deadline = { ...giveUp, attempt, purpose: 'give up', effect: effect.n };
      return {
        ...opened(node, effect),
        reservation: { host, effect: effect.n },
        intent: { kind: 'abort', effect: effect.n, attempt, ...(reason === undefined ? {} : { reason }) },
        deadlines: [...node.deadlines, deadline],
      };
    }
    case 'InspectionAbortRefused':
      return { ...intentEnded(node, event.data.effect), lastError: event.data.error };
    case 'InspectionAborted': {
      const { at, effect, error, cleanUp } = event.data;
      if (!node.inspection) return impossible(event);
      return endInWait(closed(node, effect), at, cleanUp, error);
    }
    case 'InspectionRetryPlanned': {
      const { attempt, deadline, retry, error } = event.data;
      const waits: Deadline = { ...deadline, attempt, purpose: 'retry', effect: null, retry };
      return { ...node, lastError: error, deadlines: [...node.deadlines, waits] };
    }
    case 'InspectionRemoved':
      return { ...node, inspection: null, intent: null, deadlines: [] };
    case 'PowerChangeRequested': {
      const { effect, takesReservation, host } = event.data;
      const asked = powerExpected(opened(endsAgent(effect) ? agentForgotten(node) : node, effect), [effect]);
      return {
        ...asked,
        lastError: node.provisionState === 'inspect failed' ? node.lastError : null,
        reservation: takesReservation ? { host, effect: effect.n } : node.reservation,
      };
    }
    case 'PowerChanged': {
      const { at, effect, powerState, changed } = event.data;
      return {
        ...settlePower(closed(node, effect)),
        powerState,
        driverInternalInfo: changed
          ? { ...node.driverInternalInfo, last_power_state_change: dateTime(at) }
          : node.driverInternalInfo,
      };
    }
    case 'PowerChangeFailed': {
      const keep = node.provisionState === 'inspect failed' && node.lastError !== null;
      const settled = settlePower(closed(node, event.data.effect));
      return { ...settled, lastError: keep ? `${node.lastError} Also: ${event.data.error}` : event.data.error };
    }
    case 'PowerStateSeen':
    case 'PowerControlLost':
    case 'PowerControlRegained':
      return evolvePowerLook(node, event);
    case 'CleanUpFailed':
      return { ...settlePower(closed(node, event.data.effect)), lastError: event.data.lastError };
    case 'BootDeviceChangeRequested': {
      const { effect, giveUp, host } = event.data;
      const attempt = node.inspection?.attempt ?? 0;
      const deadline: Deadline = { ...giveUp, attempt, purpose: 'give up', effect: effect.n };
      return {
        ...opened(node, effect),
        reservation: { host, effect: effect.n },
        intent: { kind: 'set boot device', effect: effect.n, attempt },
        deadlines: [...node.deadlines, deadline],
      };
    }
    case 'BootDeviceChanged': {
      const { effect, device, persistent } = event.data;
      return { ...intentEnded(node, effect), bootDevice: { device, persistent } };
    }
    case 'BootDeviceChangeRefused':
      return intentEnded(node, event.data.effect);
    case 'ManagementRequested':
    case 'ManagementDone':
    case 'ManagementFailed':
      return evolveManagement(node, event);
    case 'PartsTold':
      return { ...node, parts: partsAfter(node.parts, event.data.parts, event.data.at) };
    case 'EffectClosed': {
      const power = taskOf(node, event.data.effect)?.kind === 'power';
      const after = closed(node, event.data.effect);
      return power ? settlePower(after) : after;
    }
    default:
      return carried(event, node);
  }
}

/** An event of another release changes nothing that this build knows; the parameter's type keeps the switch complete. */
const carried = (_event: never, node: Node): Node => node;

function enrolled(event: Extract<NodeEvent, { type: 'NodeEnrolled' }>): Node {
  const { at, uuid, fields, state, keyId } = event.data;
  return {
    uuid,
    fields,
    traits: [],
    allocation: null,
    keyId,
    driverInternalInfo: {},
    agentTokenDigest: null,
    provisionState: state,
    targetProvisionState: null,
    provisionUpdatedAt: null,
    powerState: null,
    targetPowerState: null,
    lastError: null,
    reservation: null,
    inspectionStartedAt: null,
    inspectionFinishedAt: null,
    bootDevice: null,
    managed: unmanaged,
    parts: noParts,
    inspection: null,
    work: null,
    intent: null,
    deadlines: [],
    effects: [],
    inventory: null,
    posted: null,
    refused: [],
    createdAt: at,
    updatedAt: null,
  };
}

/** The highest numbers that an event used. */
function count(counters: NodeStream['counters'], event: NodeEvent): NodeStream['counters'] {
  const data: Readonly<Record<string, unknown>> = { ...event.data };
  const cleanUp: readonly unknown[] = Array.isArray(data['cleanUp']) ? data['cleanUp'] : [];
  return {
    attempt: Math.max(counters.attempt, numberOf(data['attempt'])),
    effect: Math.max(counters.effect, ...[data['effect'], data['next'], ...cleanUp].map(numberOf)),
    deadline: Math.max(counters.deadline, numberOf(data['deadline']), numberOf(data['giveUp'])),
  };
}

const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number') return value.n;
  return 0;
};

/**
 * Never refuses: what `decide` returned, it accepts. An event of another release is carried: it moves the counters,
 * so that its numbers are not used again, and nothing else (architecture, rule 8).
 */
export function evolve(stream: NodeStream, event: NodeEvent): NodeStream {
  const counters = count(stream.counters, event);
  if (event.type === 'NodeEnrolled') {
    if (stream.node) return impossible(event);
    return { counters, node: enrolled(event) };
  }
  if (!stream.node) return impossible(event);
  const node = withoutEndedAllocation(evolveNode(stream.node, event));
  // What was refused changed nothing of the node.
  const isTouched = node !== stream.node && event.type !== 'InspectionDataRefused';
  return { counters, node: node && isTouched ? { ...node, updatedAt: event.data.at } : node };
}

export const fold = (events: readonly NodeEvent[], from: NodeStream): NodeStream => events.reduce(evolve, from);
