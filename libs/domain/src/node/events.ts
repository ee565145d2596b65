import type { ToldParts } from '../management';
import type { ProvisionState } from '../states';
import type { DeadlineEvent } from './deadline-events';
import type { DiscoveryEvent } from './discovery-events';
import type { At, ToldAgent } from './event-parts';
import type { JsonObject, NodeFields } from './fields';
import type { InspectionEvent } from './inspection-events';
import type { ManagementEvent } from './management-events';
import type { PowerEvent, PowerLookEvent } from './power-events';
import type { WorkEvent } from './work-events';

export type { At, CleanUp, DeadlineSpec, Interruption } from './event-parts';
export type { RefusedReason } from './inspection-events';

/** The log of a node. Past tense, closed; `evolve` folds them (style, habit 2). */
export type NodeEvent =
  | {
      readonly type: 'NodeEnrolled';
      readonly data: {
        readonly at: At;
        readonly uuid: string;
        readonly fields: NodeFields;
        readonly state: ProvisionState;
        /** Key that seals this life's secrets. */
        readonly keyId: string | null;
      };
    }
  | {
      readonly type: 'NodeUpdated';
      readonly data: {
        readonly at: At;
        readonly changed: Partial<NodeFields>;
        /** Present when this change brought the node's first secret. */
        readonly keyId?: string;
      };
    }
  | { readonly type: 'NodeRemoved'; readonly data: { readonly at: At } }
  | { readonly type: 'MaintenanceSet'; readonly data: { readonly at: At; readonly reason: string | null } }
  | { readonly type: 'MaintenanceCleared'; readonly data: { readonly at: At } }
  /** All of them afterwards, sorted. */
  | { readonly type: 'NodeTraitsChanged'; readonly data: { readonly at: At; readonly traits: readonly string[] } }
  /** Given to an allocation, which is its instance from then on. */
  | {
      readonly type: 'NodeAllocated';
      readonly data: {
        readonly at: At;
        readonly allocation: { readonly uuid: string; readonly owner: string | null };
        readonly traits: readonly string[];
      };
    }
  /** `manage` from a state that needs no verification. */
  | { readonly type: 'NodeManaged'; readonly data: { readonly at: At; readonly from: ProvisionState } }
  | WorkEvent
  | DeadlineEvent
  | DiscoveryEvent
  | PowerLookEvent
  | InspectionEvent
  /** The first lookup of an attempt, or one that got a token. */
  | {
      readonly type: 'AgentLookedUp';
      readonly data: {
        readonly at: At;
        /** Null outside an inspection. */
        readonly attempt: number | null;
        readonly tokenDigest: string | null;
      };
    }
  /** The first heartbeat of an attempt, or one that told something new of the agent. */
  | {
      readonly type: 'AgentHeartbeat';
      readonly data: {
        readonly at: At;
        readonly attempt: number | null;
        /** What is kept of the agent; null where the heartbeat is only noted. */
        readonly agent: ToldAgent | null;
      };
    }
  | PowerEvent
  | ManagementEvent
  /** The machine told of its BIOS settings or its firmware, and something is not as it was known. */
  | { readonly type: 'PartsTold'; readonly data: { readonly at: At; readonly parts: ToldParts } }
  /** An effect that changes nothing else came to its end. */
  | {
      readonly type: 'EffectClosed';
      readonly data: { readonly at: At; readonly effect: number; readonly outcome: 'done' | 'cancelled' };
    };

export type NodeEventType = NodeEvent['type'];
export type { JsonObject };
