import type { NodeEvent } from '@lib/domain';

/** Plain resources are created, changed and removed. */
export type PlainResourceEventType = `${Concept}${'Created' | 'Changed' | 'Removed'}`;

type Concept =
  | 'Port'
  | 'Chassis'
  | 'Portgroup'
  | 'DeployTemplate'
  | 'Runbook'
  | 'VolumeConnector'
  | 'VolumeTarget'
  | 'InspectionRule'
  | 'Allocation';

/** What is known of requests that came with an Idempotency-Key; their streams are `request/<id>`. */
export type RequestEventType = 'RequestAccepted' | 'RequestAnswered';

export type EventType = NodeEvent['type'] | PlainResourceEventType | RequestEventType;

/** Every event of the log in one line each, for docs/messages.md. A missing or surplus type does not compile. */
export const eventMeanings = {
  NodeEnrolled:
    'A node was created, in `enroll` (or `available` below API version 1.11), with the interfaces chosen for it.',
  NodeUpdated: 'Fields of a node were changed; `changed` holds their new values.',
  NodeRemoved: 'A node was deleted; its ports were removed in the same append.',
  NodeManaged: 'A node became `manageable` without a check of its credentials.',
  NodeTraitsChanged: 'The traits of a node were changed; `traits` holds all of them.',
  NodeAllocated: 'A node was given to an allocation, which is its instance until that ends.',
  MaintenanceSet: 'A node went into maintenance; an open deadline is held.',
  MaintenanceCleared: 'A node left maintenance; a held deadline runs again with its old time.',
  WorkStarted:
    'Lifecycle work (verifying, cleaning, deployment, tear down, adoption, rescue, service) began; the node is reserved until it ends.',
  WorkStepDone: 'A step of that work is done, and the next one is taken.',
  WorkWaiting: 'That work waits until its ramdisk calls back; its deadline is armed.',
  WorkHeld: 'That work is held until an operator ends the hold.',
  WorkResumed: 'The ramdisk called back, or none is there to do so after a hold; the work goes on.',
  WorkAbortPostponed: 'An abort of that work was accepted; it waits for the end of a step that must not be broken off.',
  WorkAborted: 'That work ended because it was aborted; `next` is what that leaves to be done.',
  WorkTimedOut: 'That work ended because its ramdisk did not call back in time.',
  WorkFinished: 'That work ended well; `state` is where the node went, `next` the work that follows at once.',
  WorkFailed: 'That work failed; `error` became the last error.',
  WorkInterrupted:
    'The conductor at that work went away, and the work is not taken up again; `error` became the last error.',
  DeadlineExtended:
    'An operator extended the deadline that a node waits under; `deadline` is how it is now, `before` was its time.',
  DeadlinePaused: 'An operator let the time of that deadline stand still.',
  DeadlineResumed: 'The time of that deadline runs again; it is due as much later as the pause was long.',
  DiscoveryStarted: 'A machine that nobody knew posted its data, which is being processed; its node is in `enroll`.',
  DiscoveryFinished: 'That is done; the inventory, if any, is named by its hash. The node stays in `enroll`.',
  DiscoveryFailed: 'That failed; the node stays in `enroll`.',
  InspectionStarted: 'An inspection was accepted: a new attempt, with the timeout in force for it.',
  InspectionRetryPlanned:
    'The attempt that just ended is followed by another one when the deadline passes; `error` became the last error.',
  InspectionWaiting:
    'The interface has started, or posted data goes on to the inspector; the node waits, and its deadline is armed.',
  InspectionResumed:
    'Data of the ramdisk was accepted and is being processed, or, with a wait that follows at once, handed on to the inspector.',
  InspectionDataRefused:
    'Data of a ramdisk was refused, as late, as a duplicate or as not expected; it is kept for the operator, named by its hashes.',
  AgentLookedUp:
    'A ramdisk looked up its node: the first time in this attempt, or with a token issued to it, which is kept as a digest.',
  AgentHeartbeat: 'A ramdisk gave a sign of life: the first in this attempt, or with a new address of its agent.',
  InspectionCleanUpStarted:
    'Data is in; the boot files go, and the machine is powered off, before the inspection counts as finished. Once for each step.',
  InspectionFinished: 'The attempt ended well; the inventory, if any, is named by its hash.',
  InspectionFailed: 'The attempt ended with an error.',
  InspectionTimedOut: 'The attempt ended because its deadline passed.',
  InspectionAbortRequested: 'An abort was asked for; the interface is being told.',
  InspectionAbortRefused: 'The interface did not take the abort; the node waits on.',
  InspectionAborted: 'The attempt ended because the interface took the abort.',
  InspectionRemoved: 'The attempt ended because its node was deleted.',
  PowerChangeRequested: 'A power change was accepted.',
  PowerChanged: 'The machine is in the power state asked for; `changed` says whether it was before.',
  PowerChangeFailed: 'The power change failed.',
  PowerStateSeen: 'The machine is in another power state than the one recorded, which now follows it.',
  PowerControlLost:
    'The power of the machine can not be read, or not be kept as recorded; maintenance is set with its fault.',
  PowerControlRegained: 'The power of such a machine can be read again; that maintenance and its fault are over.',
  CleanUpFailed: 'What an ended inspection left to do failed; the ending stands.',
  BootDeviceChangeRequested: 'Another boot device was asked for; the interface is being told.',
  BootDeviceChanged: 'The boot device is set.',
  BootDeviceChangeRefused: 'The boot device could not be set.',
  ManagementRequested:
    'Something beside power, boot device and work was asked of the machine; the task of `effect` says what.',
  ManagementDone: 'That is done; `changed` says what is known of the machine now. `effect` null: a wish was noted.',
  ManagementFailed: 'That failed.',
  PartsTold: 'The machine told of its BIOS settings or its firmware, and something is not as it was known.',
  EffectClosed: 'Work outside the log that changes nothing else came to its end, or was no longer needed.',
  PortCreated: 'A port was created.',
  PortChanged: 'A port was changed; `changed` holds the new values.',
  PortRemoved: 'A port was deleted, alone or with its node.',
  ChassisCreated: 'A chassis was created.',
  ChassisChanged: 'A chassis was changed; `changed` holds the new values.',
  ChassisRemoved: 'A chassis was deleted.',
  PortgroupCreated: 'A port group was created.',
  PortgroupChanged: 'A port group was changed; `changed` holds the new values.',
  PortgroupRemoved: 'A port group was deleted, alone or with its node.',
  DeployTemplateCreated: 'A deploy template was created.',
  DeployTemplateChanged: 'A deploy template was changed; `changed` holds the new values.',
  DeployTemplateRemoved: 'A deploy template was deleted.',
  RunbookCreated: 'A runbook was created.',
  RunbookChanged: 'A runbook was changed; `changed` holds the new values.',
  RunbookRemoved: 'A runbook was deleted.',
  VolumeConnectorCreated: 'A volume connector was created.',
  VolumeConnectorChanged: 'A volume connector was changed; `changed` holds the new values.',
  VolumeConnectorRemoved: 'A volume connector was deleted, alone or with its node.',
  VolumeTargetCreated: 'A volume target was created.',
  VolumeTargetChanged: 'A volume target was changed; `changed` holds the new values.',
  VolumeTargetRemoved: 'A volume target was deleted, alone or with its node.',
  InspectionRuleCreated: 'A inspection rule was created.',
  InspectionRuleChanged: 'A inspection rule was changed; `changed` holds the new values.',
  InspectionRuleRemoved: 'A inspection rule was deleted.',
  AllocationCreated: 'An allocation was asked for, or made for a node in use.',
  AllocationChanged: 'An allocation was matched, failed or changed; `changed` holds the new values.',
  AllocationRemoved: 'An allocation was deleted, alone or with the instance of its node.',
  RequestAccepted:
    'A request with an `Idempotency-Key` was accepted, in the append of its command; `target` is the stream that it was about.',
  RequestAnswered:
    'It was answered, with this status, these headers and this body; the same request gets the same again.',
} as const satisfies Readonly<Record<EventType, string>>;
