import { noParts, partsAfter, unmanaged } from '../management';
import { enter } from './enter';
import type { At, NodeEvent } from './events';
import { allocated, withoutEndedAllocation } from './evolve-allocation';
import { evolveDeadline } from './evolve-deadline';
import { evolveDiscovery } from './evolve-discovery';
import { evolveInspection } from './evolve-inspection';
import { evolveManagement } from './evolve-management';
import { evolvePower } from './evolve-power';
import { evolvePowerLook, maintainedByHand } from './evolve-power-look';
import { evolveWork, told } from './evolve-work';
import { impossible } from './impossible';
import { unleasedInfo } from './lessee';
import type { Node, NodeStream } from './state';

const contacted = (node: Node, kind: 'lookup' | 'heartbeat', at: At): Node =>
  node.inspection ? { ...node, inspection: { ...node.inspection, contact: { kind, at } } } : node;

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
    case 'InspectionStarted':
    case 'InspectionDataRefused':
    case 'InspectionWaiting':
    case 'InspectionResumed':
    case 'InspectionCleanUpStarted':
    case 'InspectionFinished':
    case 'InspectionFailed':
    case 'InspectionTimedOut':
    case 'InspectionAbortRequested':
    case 'InspectionAbortRefused':
    case 'InspectionAborted':
    case 'InspectionRetryPlanned':
    case 'InspectionRemoved':
      return evolveInspection(node, event);
    case 'PowerChangeRequested':
    case 'PowerChanged':
    case 'PowerChangeFailed':
    case 'CleanUpFailed':
    case 'BootDeviceChangeRequested':
    case 'BootDeviceChanged':
    case 'BootDeviceChangeRefused':
    case 'EffectClosed':
      return evolvePower(node, event);
    case 'DiscoveryStarted':
    case 'DiscoveryFinished':
    case 'DiscoveryFailed':
      return evolveDiscovery(node, event);
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
    case 'PowerStateSeen':
    case 'PowerControlLost':
    case 'PowerControlRegained':
      return evolvePowerLook(node, event);
    case 'ManagementRequested':
    case 'ManagementDone':
    case 'ManagementFailed':
      return evolveManagement(node, event);
    case 'PartsTold':
      return { ...node, parts: partsAfter(node.parts, event.data.parts, event.data.at) };
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
