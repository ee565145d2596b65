import type { AllocationRequest } from '../allocation';
import type { Asker } from './deadline-events';
import type { EffectOutcome, RamdiskLogs, StoredInventory, WorkStep } from './effects';
import type { At, Interruption } from './events';
import type { NodeFields } from './fields';
import type { PowerSeen } from './power-events';
import type { RetrySettings } from './retry';
import type { Act } from '../management';
import type { PowerTarget, ProvisionState } from '../states';
import type { TraitsChange } from '../traits';

/** What an inspect interface can do, as the hardware registry declares it (contract: inspection.md §3.3). */
export interface InspectInterfaceFacts {
  readonly name: string;
  readonly abort: boolean;
  /** Who powers the machine off at which ending (contract: inspection.md §4.4, §8). */
  readonly powerOff: 'always' | 'on timeout or managed boot' | 'never';
  /** Set: the inspector is told to start as an effect of the wait itself (RULE of inspection.md §4.3). */
  readonly startsIntrospection: boolean;
  /** Ramdisks post their data to us, and our hooks process it (contract: inspection.md §6). */
  readonly takesData: boolean;
  /** It is told how an attempt ended that had been in `inspect wait` (contract: inspection.md §9.5, RULE). */
  readonly hearsOfEndings?: true;
}

/** `due` is epoch ms; an extension counts from the due time that there is. */
export type DeadlineChange =
  | { readonly kind: 'extend'; readonly seconds: number }
  | { readonly kind: 'move'; readonly due: At }
  | { readonly kind: 'pause' | 'resume' };

/** A command of the node's aggregate. The use case has looked up what the hardware and its peers allow. */
export type NodeCommand =
  | {
      readonly type: 'Enroll';
      readonly uuid: string;
      readonly fields: NodeFields;
      readonly state: 'enroll' | 'available';
      readonly keyId: string | null;
    }
  | {
      readonly type: 'Update';
      /** Fields after the patch; only what differs is recorded. */
      readonly fields: NodeFields;
      readonly minor: number;
      /** Interfaces that the patch itself named (resets implied by reset_interfaces are not checked). */
      readonly namedInterfaces: readonly string[];
      /** The patch is exactly one `remove /instance_uuid`. */
      readonly onlyRemovesInstance: boolean;
      /** Key made for the node's first secret; absent when it has one or needs none. */
      readonly keyId?: string;
    }
  /** A machine that nobody knows has posted its data: it becomes a node, and the data is processed. */
  | {
      readonly type: 'Discover';
      readonly uuid: string;
      readonly fields: NodeFields;
      readonly payload: StoredInventory;
      readonly logs?: RamdiskLogs;
      /** Of a token for its agent; null: none is asked for. */
      readonly tokenDigest: string | null;
    }
  | { readonly type: 'Remove' }
  | { readonly type: 'SetMaintenance'; readonly reason: string | null }
  | { readonly type: 'ClearMaintenance' }
  /** The conductor looked at the machine's power without being asked. */
  | { readonly type: 'NotePower'; readonly seen: PowerSeen }
  | { readonly type: 'ChangeTraits'; readonly change: TraitsChange }
  /** `inUse`: the node is active already, and the allocation is made for it. */
  | { readonly type: 'Allocate'; readonly request: AllocationRequest; readonly inUse: boolean }
  /** The node's allocation is deleted. */
  | { readonly type: 'ReleaseAllocation' }
  | {
      readonly type: 'Provision';
      readonly target: string;
      readonly inspect: InspectInterfaceFacts;
      /** `inspect`: name of the boot interface that will boot the ramdisk; absent where it is booted from outside. */
      readonly managedBoot?: string;
      /** First problem that validation of the needed interfaces found, in the driver's words. */
      readonly problem: string | null;
      /** The interface that would carry the work out does not offer it, in the driver's words. */
      readonly unsupported?: string;
      /** Steps of the work in their order, secrets sealed. */
      readonly steps?: readonly WorkStep[];
      /** The work is to do without its ramdisk. */
      readonly ramdisk?: false;
      /** Fields that came with the verb, secrets sealed. */
      readonly changed?: Partial<NodeFields>;
      /** Key made for the node's first secret; absent when it has one or needs none. */
      readonly keyId?: string;
      /** `abort`: why, as its requester said. */
      readonly reason?: string;
    }
  | {
      readonly type: 'ChangePower';
      readonly target: PowerTarget;
      readonly timeoutSeconds: number | null;
      readonly problem: string | null;
    }
  | {
      readonly type: 'SetBootDevice';
      readonly device: string;
      readonly persistent: boolean;
      readonly problem: string | null;
    }
  | {
      readonly type: 'Manage';
      /** Secrets sealed. */
      readonly act: Act;
      /** Whether the requester waits for the machine's word. */
      readonly waits: boolean;
      /** Whether nothing else may go on meanwhile. */
      readonly exclusive: boolean;
      readonly problem: string | null;
      /** The interface does not offer it, in the driver's words. */
      readonly unsupported?: string;
      /** Key made for the node's first secret; absent when it has one or needs none. */
      readonly keyId?: string;
    }
  | {
      readonly type: 'SetTargetRaid';
      /** Checked; `{}` wants none. */
      readonly config: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'EndEffect';
      readonly effect: number;
      readonly outcome: EffectOutcome;
      readonly inspect: InspectInterfaceFacts;
      /** Steps of the work that follows without a request, in order; absent or empty: it has none. */
      readonly nextSteps?: readonly WorkStep[];
    }
  /** What the inspector says of an introspection (contract: inspection.md §9.5). */
  | {
      readonly type: 'ReportIntrospection';
      readonly attempt: number;
      /** When the introspection that is spoken of began, epoch ms. */
      readonly startedAt: At;
      readonly error: string | null;
      readonly inventory: StoredInventory | null;
      readonly inspect: InspectInterfaceFacts;
    }
  /** A ramdisk looks up its node (contract: other-resources.md §3). */
  | {
      readonly type: 'LookUp';
      /** Digest of a fresh token to be taken if the node has none; null for clients that get none. */
      readonly tokenDigest: string | null;
      /** `[api] restrict_lookup` is off. */
      readonly inAnyState: boolean;
    }
  /** The running ramdisk gives a sign of life (contract: other-resources.md §4). */
  | {
      readonly type: 'Heartbeat';
      readonly callbackUrl: string;
      /** Digest of the token that came with it. */
      readonly tokenDigest: string;
      readonly agentVersion: string | null;
      readonly agentStatus: string | null;
      readonly agentStatusMessage: string | null;
      /** Path of the file that the certificates which came along are kept in. */
      readonly agentVerifyCa: string | null;
      /** `[agent] require_tls`. */
      readonly requireTls: boolean;
    }
  /** A ramdisk posts inspection data (contract: inspection.md §6). */
  | {
      readonly type: 'ContinueInspection';
      readonly payload: StoredInventory;
      readonly logs?: RamdiskLogs;
      /** As in LookUp. */
      readonly tokenDigest: string | null;
      readonly inspect: InspectInterfaceFacts;
    }
  /** A conductor went away in the middle of its work, and what it left is not to be tried again. */
  | {
      readonly type: 'Interrupt';
      readonly cause: Interruption;
      /**
       * What was under way and is not tried again: one effect, all effects of the node, or nothing that is known of. Work
       * without an open effect is lost in any case.
       */
      readonly lost: { readonly effect: number } | 'all' | 'none';
      readonly inspect: InspectInterfaceFacts;
    }
  /** An operator's word on the deadline of the wait that the node is in. */
  | {
      readonly type: 'ChangeDeadline';
      readonly change: DeadlineChange;
      readonly by: Asker;
      readonly reason: string | null;
    }
  /** Data that was just refused, with the bytes that it takes. */
  | { readonly type: 'KeepRefused'; readonly payload: StoredInventory; readonly bytes: number }
  /** Refused data becomes that of a new attempt. */
  | { readonly type: 'PromoteRefused'; readonly record: number; readonly inspect: InspectInterfaceFacts }
  /** What the last ramdisk posted becomes the data of a new attempt: hooks and rules have changed since. */
  | { readonly type: 'ReprocessData'; readonly inspect: InspectInterfaceFacts }
  /** The deadline's time has come, says the scheduler. */
  | {
      readonly type: 'Elapse';
      readonly n: number;
      readonly attempt: number;
      readonly inspect: InspectInterfaceFacts;
      /** For a retry: what keeps the inspection from starting, or who boots the ramdisk, as in Provision. */
      readonly start?: { readonly problem: string | null; readonly managedBoot?: string };
    };

/** Settings that the rules depend on; what was in force is written into the events that used it. */
export interface Policy {
  /** `[conductor] inspect_wait_timeout`, seconds; 0 = never. */
  readonly inspectWaitTimeoutSeconds: number;
  /** `[conductor] deploy_callback_timeout` and its kind, seconds, by the state that waits; 0 = never. */
  readonly callbackTimeoutSeconds: Readonly<Partial<Record<ProvisionState, number>>>;
  /** False with `[conductor] check_provision_state_interval = 0`: no waiting state times out. */
  readonly waitTimeouts: boolean;
  /** `[inspector] retry_*`. Absent: an inspection that failed is left to its operator. */
  readonly inspectRetry?: RetrySettings;
  /** `[inspector] power_off`. */
  readonly inspectorPowerOff: boolean;
  /** `[deploy] fast_track`; `driver_info.fast_track` of a node overrides. */
  readonly fastTrack: boolean;
  /** `[conductor] inspecting_return`. */
  readonly inspectingReturn: 'warn' | 'fail';
  readonly allowDeletingAvailable: boolean;
  readonly allowProvisioningInMaintenance: boolean;
  /** `[conductor] record_step_flows_in_history`. Absent: no. */
  readonly recordStepFlows?: boolean;
  /** `[conductor] automatic_lessee_source` is `instance`. Absent: a deployment leases nothing. */
  readonly leasesToInstance?: boolean;
  /** `[conductor] automated_clean`; the node's own overrides. */
  readonly automatedClean: boolean;
  /** Time that a peer gets for its word, before its giving up is assumed. */
  readonly peerLimitMs: number;
}

export interface Context {
  readonly now: At;
  /** The deciding conductor's `[DEFAULT] host`. */
  readonly host: string;
  readonly policy: Policy;
}
