import type { Fault, ProvisionState, ReportedPowerState } from '../states';
import type { Effect, MachineSeen, WorkName, WorkStep } from './effects';
import type { At, DeadlineSpec, Interruption, ToldAgent } from './event-parts';
import type { NodeFields } from './fields';

/** What happens to lifecycle work that is no inspection. */
export type WorkEvent =
  | {
      readonly type: 'WorkStarted';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        readonly state: ProvisionState;
        readonly effect: Effect;
        readonly host: string;
        /** Where the work leads, when that is not what `state` leads to by itself. */
        readonly target?: ProvisionState;
        /** All its steps in order, secrets sealed; the effect takes the first. Absent: it has none. */
        readonly steps?: readonly WorkStep[];
        /** Present where the history tells that its steps begin. */
        readonly history?: true;
        /** Present where it does without its ramdisk. */
        readonly ramdisk?: false;
        /** Fields that came with the request, such as the configdrive. */
        readonly changed?: Partial<NodeFields>;
        /** Present when they brought the node's first secret. */
        readonly keyId?: string;
      };
    }
  | {
      readonly type: 'WorkFinished';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        readonly state: ProvisionState;
        /** Null where a failure was left as it is: nothing was under way. */
        readonly effect: number | null;
        readonly powerState: ReportedPowerState;
        /** Fields that end with it, such as the instance of a node that was torn down. */
        readonly changed?: Partial<NodeFields>;
        /** Work that follows without a request, and who does it. */
        readonly next?: Effect;
        /** All steps of what follows, in order; its effect takes the first. Absent: it has none. */
        readonly steps?: readonly WorkStep[];
        /** Present where the history tells that steps have ended well, or that those of what follows begin. */
        readonly history?: true;
        readonly host?: string;
        readonly machine?: MachineSeen;
        readonly forgetsAgent?: true;
        /** Why a failed service was given up, as its requester said. */
        readonly reason?: string;
      };
    }
  /** A step is done, and the next one is taken at once. */
  | {
      readonly type: 'WorkStepDone';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        /** Index of the step that is done. */
        readonly step: number;
        readonly effect: number;
        readonly next: Effect;
        readonly host: string;
        readonly machine?: MachineSeen;
      };
    }
  | {
      readonly type: 'WorkWaiting';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        readonly state: ProvisionState;
        /** The effect whose outcome this is; null where an operator ended a hold. */
        readonly effect: number | null;
        readonly deadline: DeadlineSpec | null;
        /** In force for this wait; 0 = never times out. */
        readonly timeoutSeconds: number;
        /** False: an abort waits for the end of the step. */
        readonly abortable: boolean;
        readonly machine?: MachineSeen;
      };
    }
  | {
      readonly type: 'WorkHeld';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        readonly state: ProvisionState;
        readonly effect: number;
        readonly machine?: MachineSeen;
      };
    }
  /** The ramdisk has called back, or nobody is there who could. */
  | {
      readonly type: 'WorkResumed';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        readonly state: ProvisionState;
        /** Takes the next step, or brings the work to its end. */
        readonly effect: Effect;
        readonly host: string;
        /** What the heartbeat told anew of the agent; null: nothing. */
        readonly agent: ToldAgent | null;
      };
    }
  /** An abort that takes effect when the step that is waited for has ended. */
  | {
      readonly type: 'WorkAbortPostponed';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        /** Why, as its requester said. */
        readonly reason?: string;
      };
    }
  | {
      readonly type: 'WorkAborted';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        readonly state: ProvisionState;
        readonly error: string;
        /** What is left to be done, and who does it. */
        readonly next?: Effect;
        readonly host?: string;
        readonly forgetsAgent?: true;
        readonly reason?: string;
      };
    }
  | {
      readonly type: 'WorkTimedOut';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        readonly state: ProvisionState;
        readonly deadline: DeadlineSpec;
        readonly error: string;
        /** Present where it set maintenance. */
        readonly fault?: Fault;
        readonly forgetsAgent?: true;
      };
    }
  | {
      readonly type: 'WorkFailed';
      readonly data: {
        readonly at: At;
        readonly work: WorkName;
        readonly state: ProvisionState;
        readonly effect: number;
        readonly error: string;
        readonly machine?: MachineSeen;
        /** Present where it set maintenance. */
        readonly fault?: Fault;
        /** Present where there was an agent: its token goes with the boot that it belongs to. */
        readonly forgetsAgent?: true;
      };
    }
  /** The conductor at work went away and its work can not be resumed; inspections end by InspectionFailed instead. */
  | {
      readonly type: 'WorkInterrupted';
      readonly data: {
        readonly at: At;
        readonly state: ProvisionState;
        /** The work that was under way; null when none was known of. */
        readonly effect: number | null;
        readonly error: string;
        readonly interrupted: Interruption;
      };
    };
