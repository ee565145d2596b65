import type { ManagedState, Parts } from '../management';
import type { PowerState, ProvisionState, ReportedPowerState } from '../states';
import type { Effect, StoredInventory, WorkName, WorkStep } from './effects';
import type { Asker } from './deadline-events';
import type { At, RefusedReason } from './events';
import type { JsonObject, NodeFields } from './fields';

/** Numbers that never restart within a stream, also across a removal (architecture, rule 3). */
export interface Counters {
  readonly attempt: number;
  readonly effect: number;
  readonly deadline: number;
}

export interface Deadline {
  readonly n: number;
  readonly attempt: number;
  readonly due: At;
  /** What its passing means: the end of the waiting state, or of a peer's time to answer, or that a failed inspection begins anew. */
  readonly purpose: 'inspect wait' | 'callback' | 'give up' | 'retry';
  /** For `give up`: the effect whose outcome is awaited. */
  readonly effect: number | null;
  /** For `retry`: which one begins then, of how many. */
  readonly retry?: Retry;
  /** Since when an operator lets its time stand still; absent or null: it runs. */
  readonly pausedAt?: At | null;
  /** The last that an operator said of it. */
  readonly lastWord?: LastWord;
}

/** Numbers within a series of attempts that nobody asked for one by one; the attempts themselves are numbered as ever. */
export interface Retry {
  readonly number: number;
  readonly of: number;
}

export interface LastWord {
  readonly word: 'extended' | 'paused' | 'resumed';
  readonly at: At;
  readonly by: Asker;
  readonly reason: string | null;
}

/** What is left of it: a pause keeps that as it was. Negative once it is overdue. */
export const leftMs = ({ due, pausedAt }: Deadline, now: At): number => due - (pausedAt ?? now);

/** Who holds the node: released by the outcome of `effect` (architecture, rule 11). */
export interface Reservation {
  readonly host: string;
  readonly effect: number;
}

/** The open inspection. One ending each: finished, failed, timed out, aborted or removed. */
export interface OpenAttempt {
  readonly attempt: number;
  readonly interface: string;
  readonly timeoutSeconds: number;
  /** When it began. */
  readonly begunAt: At;
  /** Last entry into `inspecting`: posted data enters it anew. */
  readonly startedAt: At;
  readonly manageBoot: boolean | null;
  /** The boot interface that boots the ramdisk; null where it is not ours to boot. */
  readonly bootInterface: string | null;
  /** It has been in `inspect wait`. */
  readonly waited: boolean;
  /** The last step by which its ramdisk was heard of. */
  readonly contact: { readonly kind: 'lookup' | 'heartbeat'; readonly at: At } | null;
  /** How many times posted data went on to its inspector; absent: never. */
  readonly forwards?: number;
  /** It uses data that was there, and has nothing to do with the machine. */
  readonly usesData?: true;
  /** How many retries of the series came before its end; absent: an operator asked for this one. */
  readonly retry?: number;
}

/** Data that was refused, as its event tells. */
export interface RefusedData {
  readonly n: number;
  readonly at: At;
  readonly attempt: number;
  readonly state: ProvisionState;
  readonly why: RefusedReason;
  readonly payload: StoredInventory;
  readonly bytes: number;
  /** The attempt that used it last; null: none did. */
  readonly promotedBy: number | null;
}

/** What a ramdisk posted, as it came, and the attempt that it came in; 0: it made the node known. */
export interface PostedData {
  readonly attempt: number;
  readonly payload: StoredInventory;
}

/** The lifecycle work that is under way, waits or is held. */
export interface OpenWork {
  readonly work: WorkName;
  /** In the order in which they are taken, secrets sealed; empty for work in one piece. */
  readonly steps: readonly WorkStep[];
  /** Index of the step that is being taken or waited for; past the last one while the work is brought to its end. */
  readonly index: number;
  readonly ramdisk: boolean;
  /** While it waits for its ramdisk: the timeout in force in seconds (0 = never), and whether an abort ends the wait at once. */
  readonly wait: { readonly seconds: number; readonly abortable: boolean } | null;
  /** An abort was asked for that takes effect when the step which is waited for has ended. */
  readonly endsAfterStep: boolean;
  /** Why that abort was asked for. */
  readonly abortReason?: string;
}

/** What was asked for and waits for its outcome: a peer's word, or the clean-up of an inspection that found its data. */
export type Intent = { readonly effect: number; readonly attempt: number } & (
  | { readonly kind: 'abort'; readonly reason?: string }
  | { readonly kind: 'set boot device' | 'manage' }
  | { readonly kind: 'clean up'; readonly inventory: StoredInventory | null; readonly problems: readonly string[] }
);

export interface Node {
  readonly uuid: string;
  readonly fields: NodeFields;
  /** Sorted, each once. */
  readonly traits: readonly string[];
  /** Ends with the node's instance, whoever ends that. */
  readonly allocation: { readonly uuid: string; readonly owner: string | null } | null;
  readonly keyId: string | null;
  readonly driverInternalInfo: JsonObject;
  /** SHA-256 of the token that the running agent was given; the token itself is nowhere. */
  readonly agentTokenDigest: string | null;
  readonly provisionState: ProvisionState;
  readonly targetProvisionState: ProvisionState | null;
  readonly provisionUpdatedAt: At | null;
  readonly powerState: ReportedPowerState;
  readonly targetPowerState: PowerState | null;
  readonly lastError: string | null;
  readonly reservation: Reservation | null;
  readonly inspectionStartedAt: At | null;
  readonly inspectionFinishedAt: At | null;
  readonly bootDevice: { readonly device: string; readonly persistent: boolean } | null;
  readonly managed: ManagedState;
  readonly parts: Parts;
  readonly inspection: OpenAttempt | null;
  readonly work: OpenWork | null;
  readonly intent: Intent | null;
  readonly deadlines: readonly Deadline[];
  readonly effects: readonly Effect[];
  readonly inventory: StoredInventory | null;
  /** The last data that was taken to be processed by us, well or not. */
  readonly posted: PostedData | null;
  /** The newest, oldest first. */
  readonly refused: readonly RefusedData[];
  readonly createdAt: At;
  readonly updatedAt: At | null;
}

/** Whether the machine itself is asked, and not the inspector of an attempt. */
export const isOfMachine = ({ kind }: Intent): boolean => kind === 'set boot device' || kind === 'manage';

/** The fold of a node's stream: null before it was enrolled and after it was removed. */
export interface NodeStream {
  readonly counters: Counters;
  readonly node: Node | null;
}

export const emptyStream: NodeStream = { counters: { attempt: 0, effect: 0, deadline: 0 }, node: null };

/**
 * Maintenance, an open intent and an operator hold the deadline of a state that waits; a retry is held by whoever has the node, too.
 * The peer's own time is never held.
 */
export const isHeld = (node: Node, deadline: Deadline): boolean =>
  deadline.purpose !== 'give up' &&
  (node.fields.maintenance ||
    node.intent !== null ||
    typeof deadline.pausedAt === 'number' ||
    (deadline.purpose === 'retry' && node.reservation !== null));
