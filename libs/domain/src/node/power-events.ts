import type { PowerState, ReportedPowerState } from '../states';
import type { Effect } from './effects';
import type { At, DeadlineSpec } from './event-parts';

/** What a machine's power and boot device are asked for, and what comes of it. */
export type PowerEvent =
  | {
      readonly type: 'PowerChangeRequested';
      readonly data: {
        readonly at: At;
        readonly effect: Effect;
        readonly takesReservation: boolean;
        readonly host: string;
      };
    }
  | {
      readonly type: 'PowerChanged';
      readonly data: {
        readonly at: At;
        readonly effect: number;
        readonly powerState: ReportedPowerState;
        /** False when the machine was in that state already. */
        readonly changed: boolean;
      };
    }
  | {
      readonly type: 'PowerChangeFailed';
      readonly data: { readonly at: At; readonly effect: number; readonly error: string };
    }
  /** The ending stands; only its text may grow, and only while it is still the node's last error. */
  | {
      readonly type: 'CleanUpFailed';
      readonly data: {
        readonly at: At;
        readonly effect: number;
        readonly problem: string;
        readonly lastError: string | null;
      };
    }
  | {
      readonly type: 'BootDeviceChangeRequested';
      readonly data: { readonly at: At; readonly effect: Effect; readonly giveUp: DeadlineSpec; readonly host: string };
    }
  | {
      readonly type: 'BootDeviceChanged';
      readonly data: {
        readonly at: At;
        readonly effect: number;
        readonly device: string;
        readonly persistent: boolean;
      };
    }
  | {
      readonly type: 'BootDeviceChangeRefused';
      readonly data: { readonly at: At; readonly effect: number; readonly error: string };
    };

/** What the look at the machine's power found, beside any request (contract: config.md, sync_power_state_interval). */
export type PowerLookEvent =
  /** Another state than the one recorded. */
  | { readonly type: 'PowerStateSeen'; readonly data: { readonly at: At; readonly powerState: PowerState } }
  /** The power can not be read, or not be kept as recorded: the node goes into maintenance with its fault. */
  | { readonly type: 'PowerControlLost'; readonly data: { readonly at: At; readonly error: string } }
  /** A node with that fault answers again, which ends the maintenance. */
  | { readonly type: 'PowerControlRegained'; readonly data: { readonly at: At; readonly powerState: PowerState } };

/** `putRight`: the machine is to go back into the recorded state, rather than the record to follow the machine. */
export type PowerSeen = { readonly state: PowerState; readonly putRight: boolean } | { readonly lost: string };
