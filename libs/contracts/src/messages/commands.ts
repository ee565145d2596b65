import type { Act, DeadlineChange, MachineQuestion, TraitsChange } from '@lib/domain';
import type { PlainKind } from '../resources';
import type { KeptAnswer, KeyedRequest } from './keyed-request';

/** One operation of an RFC 6902 patch, checked by the api before it is sent (contract: node-api.md §6). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** What the api asks of a conductor. `minor` is the request's microversion where a rule depends on it. */
export type Command =
  | {
      readonly type: 'CreateNode';
      readonly uuid: string;
      /** Client-set fields, checked against the schema; absent keys take their defaults. */
      readonly fields: Readonly<Record<string, unknown>>;
      readonly initialState: 'enroll' | 'available';
    }
  | {
      readonly type: 'PatchNode';
      readonly uuid: string;
      readonly patch: readonly PatchOperation[];
      readonly minor: number;
      readonly resetInterfaces: boolean;
    }
  | { readonly type: 'RemoveNode'; readonly uuid: string }
  /** An operator's word on the deadline of the wait that the node is in. */
  | {
      readonly type: 'ChangeDeadline';
      readonly uuid: string;
      readonly change: DeadlineChange;
      readonly reason: string | null;
    }
  /** Refused data of a ramdisk becomes that of a new attempt. */
  | { readonly type: 'PromoteRefused'; readonly uuid: string; readonly record: number }
  /** Hooks and rules run once more over what the node's last ramdisk posted. */
  | { readonly type: 'ReprocessData'; readonly uuid: string }
  | { readonly type: 'SetMaintenance'; readonly uuid: string; readonly reason: string | null }
  | { readonly type: 'ClearMaintenance'; readonly uuid: string }
  | {
      readonly type: 'ChangeTraits';
      readonly of: 'node' | 'runbook';
      readonly uuid: string;
      readonly change: TraitsChange;
    }
  | {
      readonly type: 'Provision';
      readonly uuid: string;
      /** As the client wrote it: `inspect`, `abort`, `manage`, ... */
      readonly target: string;
      /** configdrive, clean_steps, rescue_password, ...: those given, checked for shape. */
      readonly args: Readonly<Record<string, unknown>>;
      /** `abort`: why, as its requester said. */
      readonly reason?: string;
    }
  | {
      readonly type: 'ChangePower';
      readonly uuid: string;
      readonly target: string;
      readonly timeoutSeconds: number | null;
    }
  | { readonly type: 'SetBootDevice'; readonly uuid: string; readonly device: string; readonly persistent: boolean }
  /** Beside power, boot device and work. The reply holds `answer` where a vendor method gives one. */
  | { readonly type: 'Manage'; readonly uuid: string; readonly act: Act }
  | {
      readonly type: 'SetTargetRaid';
      readonly uuid: string;
      /** As the client wrote it; the RAID interface checks it. */
      readonly config: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'CreateResource';
      readonly kind: PlainKind;
      readonly uuid: string;
      /** The node that it belongs to: picks the mailbox. Null for what stands alone. */
      readonly nodeUuid: string | null;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly minor: number;
    }
  | {
      readonly type: 'PatchResource';
      readonly kind: PlainKind;
      readonly uuid: string;
      /** The node that owned it when the api looked. */
      readonly nodeUuid: string | null;
      readonly patch: readonly PatchOperation[];
      readonly minor: number;
    }
  | {
      readonly type: 'RemoveResource';
      readonly kind: PlainKind;
      readonly uuid: string;
      readonly nodeUuid: string | null;
    }
  /** A ramdisk asks who it is; the reply is a RamdiskAnswer. */
  | {
      readonly type: 'LookUpNode';
      readonly uuid: string;
      /** SHA-256, hex, of a fresh token: taken if the node has none. The token itself stays in the api. Null: none is wanted. */
      readonly tokenDigest: string | null;
      /** `[api] restrict_lookup` is off. */
      readonly inAnyState: boolean;
    }
  | {
      readonly type: 'RecordHeartbeat';
      readonly uuid: string;
      readonly callbackUrl: string;
      readonly tokenDigest: string;
      readonly agentVersion: string | null;
      readonly agentStatus: string | null;
      readonly agentStatusMessage: string | null;
      /** PEM text: whose certificates the agent's own is to be checked against. */
      readonly agentVerifyCa: string | null;
      readonly requireTls: boolean;
    }
  /** A ramdisk posts its data; the conductor finds the node (contract: inspection.md §6.3). The reply is a RamdiskAnswer. */
  | {
      readonly type: 'ContinueInspection';
      /** Of the call itself: which node it is for is not known yet. */
      readonly uuid: string;
      /** The node that the caller named; null: it is found by its addresses. */
      readonly askedNode: string | null;
      readonly inventory: Readonly<Record<string, unknown>>;
      readonly pluginData: Readonly<Record<string, unknown>>;
      readonly tokenDigest: string | null;
    }
  /** Questions that only the conductor can answer: nothing is stored. */
  | { readonly type: 'ValidateNode'; readonly uuid: string }
  | { readonly type: 'ReadBootDevice'; readonly uuid: string }
  | { readonly type: 'ListBootDevices'; readonly uuid: string }
  /** The outcome of the command whose id the envelope has, which was accepted before; `uuid` is the node it was about. */
  | { readonly type: 'RecallOutcome'; readonly uuid: string }
  /** The answer to a request that came with a key is to be kept; the reply says `{ kept: false }` where there is one already. */
  | {
      readonly type: 'RecordAnswer';
      /** Id of the key. */
      readonly uuid: string;
      /** Version of the RequestAccepted that it answers. */
      readonly version: number;
      readonly answer: KeptAnswer;
    }
  /** The reply holds `answer`. */
  | { readonly type: 'AskMachine'; readonly uuid: string; readonly question: MachineQuestion };

const questions = ['ValidateNode', 'ReadBootDevice', 'ListBootDevices', 'AskMachine'] as const;

/** Commands that ask what only a machine's interfaces can say, and change nothing. */
export type Question = Extract<Command, { type: (typeof questions)[number] }>;

export const isQuestion = (command: Command): command is Question => questions.some((type) => type === command.type);

export type CommandType = Command['type'];

/** The same command may be sent twice; its id makes it one. */
export interface CommandEnvelope {
  readonly commandId: string;
  readonly requestId: string | null;
  /** The id that the request has where it comes from (`X-OpenStack-Request-ID`); absent without one. */
  readonly globalRequestId?: string;
  /** User id of the caller, null without authentication. */
  readonly actor: string | null;
  readonly command: Command;
  /**
   * The versions of what the command is about under which it may be carried out (If-Match); none: PRECONDITION_FAILED in any
   * case. Absent: under any.
   */
  readonly expected?: readonly number[];
  /** Written down with the command, so that its key is known again. */
  readonly request?: KeyedRequest;
}

/** Concept and word of a command on the bus: `cmd.node.create.<uuid>`. */
export const commandWords: Readonly<Record<CommandType, readonly [concept: string, word: string]>> = {
  CreateNode: ['node', 'create'],
  PatchNode: ['node', 'patch'],
  RemoveNode: ['node', 'remove'],
  SetMaintenance: ['node', 'set-maintenance'],
  ClearMaintenance: ['node', 'clear-maintenance'],
  ChangeDeadline: ['node', 'change-deadline'],
  PromoteRefused: ['inspection', 'promote'],
  ReprocessData: ['inspection', 'reprocess'],
  ChangeTraits: ['traits', 'change'],
  Provision: ['node', 'provision'],
  ChangePower: ['node', 'change-power'],
  SetBootDevice: ['node', 'set-boot-device'],
  Manage: ['node', 'manage'],
  SetTargetRaid: ['node', 'set-target-raid'],
  CreateResource: ['resource', 'create'],
  PatchResource: ['resource', 'patch'],
  RemoveResource: ['resource', 'remove'],
  LookUpNode: ['node', 'look-up'],
  RecordHeartbeat: ['node', 'record-heartbeat'],
  ContinueInspection: ['inspection', 'continue'],
  ValidateNode: ['node', 'validate'],
  ReadBootDevice: ['node', 'read-boot-device'],
  ListBootDevices: ['node', 'list-boot-devices'],
  RecallOutcome: ['request', 'recall'],
  RecordAnswer: ['request', 'answer'],
  AskMachine: ['node', 'ask-machine'],
};
