import type { NodeEvent, NodeEventType } from '@lib/domain';
import type { RecordedEvent } from '@lib/ports';

/** Every type that this build can fold; the type of the record keeps it complete. */
const known: Readonly<Record<NodeEventType, true>> = {
  NodeEnrolled: true,
  NodeUpdated: true,
  NodeRemoved: true,
  MaintenanceSet: true,
  MaintenanceCleared: true,
  NodeTraitsChanged: true,
  NodeAllocated: true,
  NodeManaged: true,
  WorkStarted: true,
  WorkStepDone: true,
  WorkWaiting: true,
  WorkHeld: true,
  WorkResumed: true,
  WorkAbortPostponed: true,
  WorkAborted: true,
  WorkTimedOut: true,
  WorkFinished: true,
  WorkFailed: true,
  WorkInterrupted: true,
  DeadlineExtended: true,
  DeadlinePaused: true,
  DeadlineResumed: true,
  DiscoveryStarted: true,
  DiscoveryFinished: true,
  DiscoveryFailed: true,
  InspectionRetryPlanned: true,
  InspectionStarted: true,
  InspectionWaiting: true,
  InspectionDataRefused: true,
  InspectionResumed: true,
  AgentLookedUp: true,
  AgentHeartbeat: true,
  InspectionCleanUpStarted: true,
  InspectionFinished: true,
  InspectionFailed: true,
  InspectionTimedOut: true,
  InspectionAbortRequested: true,
  InspectionAbortRefused: true,
  InspectionAborted: true,
  InspectionRemoved: true,
  PowerChangeRequested: true,
  PowerChanged: true,
  PowerChangeFailed: true,
  PowerStateSeen: true,
  PowerControlLost: true,
  PowerControlRegained: true,
  CleanUpFailed: true,
  BootDeviceChangeRequested: true,
  BootDeviceChanged: true,
  BootDeviceChangeRefused: true,
  ManagementRequested: true,
  ManagementDone: true,
  ManagementFailed: true,
  PartsTold: true,
  EffectClosed: true,
};

export const isKnownEvent = (type: string): boolean => Object.hasOwn(known, type);

/**
 * The recorded event as the rules know it; null for a type of another release, which is carried, not folded
 * (architecture, rule 8).
 */
export function nodeEventOf(recorded: Pick<RecordedEvent, 'type' | 'data'>): NodeEvent | null {
  if (!isKnownEvent(recorded.type)) return null;
  return { type: recorded.type, data: JSON.parse(recorded.data) } as NodeEvent;
}
