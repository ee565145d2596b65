import type { ProvisionState } from '../states';
import type { Effect, MachineSeen, StoredInventory } from './effects';
import type { At, CleanUp, DeadlineSpec, Interruption } from './event-parts';

/** No inspection is open; data of it is being processed; or it waits, but not for this data. */
export type RefusedReason = 'late' | 'duplicate' | 'not expected';

/** What happens to an inspection and its data, from the start of an attempt to its one ending. */
export type InspectionEvent =
  | {
      readonly type: 'InspectionStarted';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        readonly interface: string;
        /** In force for this attempt; 0 = never times out. */
        readonly timeoutSeconds: number;
        readonly timeoutFrom: 'node' | 'settings';
        readonly effect: Effect;
        readonly host: string;
        /** Boot interface with which we boot the ramdisk ourselves; absent: something outside does. */
        readonly managedBoot?: string;
        /** Present where nobody asked for it: which retry it is, of how many. */
        readonly retry?: { readonly number: number; readonly of: number };
        /** Present where refused data is used: its record. The effect processes it, and the machine is left alone. */
        readonly promotes?: number;
        /** Present where data is processed again: the attempt that it came in. The machine is left alone. */
        readonly reprocesses?: number;
      };
    }
  /** Data of a ramdisk was answered with "not found", and is kept for the operator. */
  | {
      readonly type: 'InspectionDataRefused';
      readonly data: {
        readonly at: At;
        /** Number of the record in this life of the node. */
        readonly record: number;
        /** The last attempt that was started; 0: none ever was. */
        readonly attempt: number;
        /** Where the node was. */
        readonly state: ProvisionState;
        readonly why: RefusedReason;
        readonly payload: StoredInventory;
        /** What it takes, as JSON. */
        readonly bytes: number;
      };
    }
  | {
      readonly type: 'InspectionWaiting';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        /** The effect whose outcome this is; null: posted data goes on to the inspector, and the node waits on. */
        readonly effect: number | null;
        readonly deadline: DeadlineSpec | null;
        readonly manageBoot: boolean | null;
        readonly lookupBmcAddresses: readonly string[];
        /** Opened by this event: the inspector is told to start. */
        readonly next: Effect | null;
        /** The interface returned INSPECTING, which a future release turns into a failure. */
        readonly deprecatedReturn: boolean;
        /** Present when the start worked on the machine itself. */
        readonly machine?: MachineSeen;
        /** Where the ramdisk was told to post its data; absent where something outside boots it. */
        readonly callbackUrl?: string;
      };
    }
  | {
      readonly type: 'InspectionResumed';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        /** Processes the data, or hands it on to the inspector; its task names it. */
        readonly effect: Effect;
        readonly host: string;
        /** Digest of a token issued with the answer, null when none was. */
        readonly tokenDigest: string | null;
      };
    }
  /**
   * Data is in, and one thing after the other is cleaned up before `done`, since a problem turns it into a failure
   * (inspection.md §4.4): what was prepared for the boot, then the power. Once for each.
   */
  | {
      readonly type: 'InspectionCleanUpStarted';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        /** The effect whose outcome brought the data, if one did. */
        readonly effect: number | null;
        readonly next: Effect;
        readonly inventory: StoredInventory | null;
        readonly host: string;
        /** What went wrong with the steps before this one. */
        readonly problems?: readonly string[];
        /** What is odd about the data that brought it here, or missing in it; absent without. */
        readonly warnings?: readonly string[];
      };
    }
  | {
      readonly type: 'InspectionFinished';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        readonly effect: number | null;
        readonly inventory: StoredInventory | null;
        readonly cleanUp: CleanUp;
        /** What is odd about the data, or missing in it; absent without, and where the clean-up has told it. */
        readonly warnings?: readonly string[];
        /** Present where fast track lets the ramdisk run on: its token stays good. */
        readonly keepsAgent?: true;
      };
    }
  | {
      readonly type: 'InspectionFailed';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        readonly effect: number | null;
        readonly error: string;
        /** False where the contract leaves the history empty (inspection.md §14). */
        readonly history: boolean;
        readonly cleanUp: CleanUp;
        /** Present when what failed had worked on the machine. */
        readonly machine?: MachineSeen;
        /** Present when it failed because its conductor went away. */
        readonly interrupted?: Interruption;
        /** Present when its data is kept all the same (contract: inspection.md §11). */
        readonly inventory?: StoredInventory;
      };
    }
  | {
      readonly type: 'InspectionTimedOut';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        readonly deadline: DeadlineSpec;
        readonly error: string;
        readonly cleanUp: CleanUp;
      };
    }
  | {
      readonly type: 'InspectionAbortRequested';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        readonly effect: Effect;
        readonly giveUp: DeadlineSpec;
        readonly host: string;
        /** Why, as its requester said. */
        readonly reason?: string;
      };
    }
  | {
      readonly type: 'InspectionAbortRefused';
      readonly data: { readonly at: At; readonly attempt: number; readonly effect: number; readonly error: string };
    }
  | {
      readonly type: 'InspectionAborted';
      readonly data: {
        readonly at: At;
        readonly attempt: number;
        readonly effect: number;
        /** Ends with the reason, where one was given. */
        readonly error: string;
        readonly cleanUp: CleanUp;
        readonly reason?: string;
      };
    }
  /** The attempt that has just ended is followed by another one when the deadline passes. */
  | {
      readonly type: 'InspectionRetryPlanned';
      readonly data: {
        readonly at: At;
        /** The one that has ended. */
        readonly attempt: number;
        readonly deadline: DeadlineSpec;
        readonly retry: { readonly number: number; readonly of: number };
        /** How it ended, and when the next one begins. */
        readonly error: string;
      };
    }
  /** The node was deleted under an open attempt. */
  | { readonly type: 'InspectionRemoved'; readonly data: { readonly at: At; readonly attempt: number } };
