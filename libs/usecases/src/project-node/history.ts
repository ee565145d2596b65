import { unreachable, works } from '@lib/domain';
import type { Interruption, Node, NodeEvent } from '@lib/domain';
import { nameUuid } from '../name-uuid';
import { flowEntry } from './step-flow';
import { isoTime } from './times';

/** A row of the node's history (contract: node-api.md §18, inspection.md §14). */
export interface HistoryEntry {
  readonly uuid: string;
  readonly node_uuid: string;
  readonly created_at: string;
  readonly severity: 'ERROR' | 'INFO';
  readonly event: string;
  readonly event_type: string;
  readonly conductor: string;
  readonly user: string | null;
  readonly project: null;
  readonly state: string;
  readonly target_provision_state: string | null;
  readonly duration_seconds: number | null;
}

export interface HistorySource {
  readonly stream: string;
  readonly version: number;
  /** Host of the deciding conductor. */
  readonly host: string;
  readonly actor: string | null;
}

/** How the history speaks of work whose conductor went away (contract: inspection.md §9.3, §9.4). */
const interruptionTypes: Readonly<Record<Interruption, string>> = { restart: 'transition', takeover: 'takeover' };

interface Entry {
  readonly text: string;
  readonly type: string;
  readonly byUser: boolean;
  /** It tells of no error. */
  readonly isNews?: true;
}

/** What the entry that an event writes says; null: it writes none. */
function entryOf(event: NodeEvent, before: Node): Entry | null {
  switch (event.type) {
    case 'WorkStarted':
    case 'WorkFinished':
      return flowEntry(event, before);
    case 'WorkFailed':
    case 'WorkTimedOut':
      return { text: event.data.error, type: works[event.data.work].historyType, byUser: false };
    case 'InspectionFailed': {
      const { error: text, history, interrupted } = event.data;
      const type = interrupted ? interruptionTypes[interrupted] : 'introspection';
      return history ? { text, type, byUser: false } : null;
    }
    case 'InspectionRetryPlanned': {
      const { error, attempt } = event.data;
      return { text: `Attempt ${attempt}: ${error}`, type: 'introspection', byUser: false, isNews: true };
    }
    case 'WorkAborted':
      return { text: event.data.error, type: works[event.data.work].historyType, byUser: true };
    case 'WorkInterrupted':
      return { text: event.data.error, type: interruptionTypes[event.data.interrupted], byUser: false };
    case 'InspectionTimedOut':
    case 'DiscoveryFailed':
      return { text: event.data.error, type: 'introspection', byUser: false };
    case 'InspectionAborted':
    case 'InspectionAbortRefused':
      return { text: event.data.error, type: 'introspection', byUser: true };
    case 'PowerControlLost':
    case 'PowerChangeFailed':
      return { text: event.data.error, type: 'conductor', byUser: false };
    case 'ManagementFailed':
      return { text: event.data.error, type: 'conductor', byUser: false };
    case 'CleanUpFailed':
      return { text: event.data.problem, type: 'conductor', byUser: false };
    case 'NodeEnrolled':
    case 'NodeUpdated':
    case 'NodeRemoved':
    case 'MaintenanceSet':
    case 'MaintenanceCleared':
    case 'NodeTraitsChanged':
    case 'NodeAllocated':
    case 'NodeManaged':
    case 'WorkStepDone':
    case 'WorkWaiting':
    case 'WorkHeld':
    case 'WorkResumed':
    case 'WorkAbortPostponed':
    case 'DeadlineExtended':
    case 'DeadlinePaused':
    case 'DeadlineResumed':
    case 'DiscoveryStarted':
    case 'DiscoveryFinished':
    case 'InspectionStarted':
    case 'InspectionWaiting':
    case 'InspectionDataRefused':
    case 'InspectionResumed':
    case 'AgentLookedUp':
    case 'AgentHeartbeat':
    case 'InspectionCleanUpStarted':
    case 'InspectionFinished':
    case 'InspectionAbortRequested':
    case 'InspectionRemoved':
    case 'PowerChangeRequested':
    case 'PowerChanged':
    case 'PowerStateSeen':
    case 'PowerControlRegained':
    case 'BootDeviceChangeRequested':
    case 'BootDeviceChanged':
    case 'BootDeviceChangeRefused':
    case 'ManagementRequested':
    case 'ManagementDone':
    case 'PartsTold':
    case 'EffectClosed':
      return null;
    default:
      return unreachable(event);
  }
}

/** The same event gives the same id, so that a rebuild makes the same rows. */
const entryId = (stream: string, version: number): string => nameUuid(`history/${stream}/${version}`);

/** `before` is the node when the event was written. */
export function historyEntry(before: Node, event: NodeEvent, source: HistorySource): HistoryEntry | null {
  const entry = entryOf(event, before);
  if (!entry) return null;
  const { at } = event.data;
  const since = before.provisionUpdatedAt;
  return {
    uuid: entryId(source.stream, source.version),
    node_uuid: before.uuid,
    created_at: isoTime(at),
    severity: entry.isNews ? 'INFO' : 'ERROR',
    event: entry.text,
    event_type: entry.type,
    conductor: source.host,
    user: entry.byUser ? source.actor : null,
    project: null,
    state: before.provisionState,
    target_provision_state: before.targetProvisionState,
    duration_seconds: since === null ? null : Math.max(0, Math.floor((at - since) / 1000)),
  };
}
