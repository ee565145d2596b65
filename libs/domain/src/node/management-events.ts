import type { ManagedState } from '../management';
import type { Effect } from './effects';
import type { At, DeadlineSpec } from './event-parts';

/** What a machine is asked for beside power, boot device and work. */
export type ManagementEvent =
  /** The machine is asked for something beside power, boot device and work; the task of the effect says what. */
  | {
      readonly type: 'ManagementRequested';
      readonly data: {
        readonly at: At;
        readonly effect: Effect;
        /** False for what may go on beside other work. */
        readonly takesReservation: boolean;
        /** Null where nobody waits for the machine's word. */
        readonly giveUp: DeadlineSpec | null;
        readonly host: string;
        /** Present when the request brought the node's first secret. */
        readonly keyId?: string;
      };
    }
  | {
      readonly type: 'ManagementDone';
      readonly data: {
        readonly at: At;
        /** Null where only the wish was to be noted: nothing was asked of the machine. */
        readonly effect: number | null;
        readonly changed: Partial<ManagedState>;
        /** What a vendor method answered. */
        readonly answer?: unknown;
      };
    }
  | {
      readonly type: 'ManagementFailed';
      readonly data: { readonly at: At; readonly effect: number; readonly error: string };
    };
