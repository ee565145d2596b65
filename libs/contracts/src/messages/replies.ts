import type { RefusalCode } from '@lib/domain';

/** A refusal on the wire: a code, never a class (style, habit 11). */
export interface RefusedReply {
  readonly ok: false;
  readonly code: RefusalCode;
  readonly message: string;
}

/** Accepted: what the caller cannot read back from the read model. Empty for most commands. */
export interface AcceptedReply {
  readonly ok: true;
  readonly result: Readonly<Record<string, unknown>>;
}

/** A bug of ours: the api answers 500 with this text; the stack is in the conductor's log. */
export interface FailedReply {
  readonly ok: false;
  readonly code: 'INTERNAL';
  readonly message: string;
}

export type Reply = AcceptedReply | RefusedReply | FailedReply;

/** Answer to ValidateNode: one entry per interface type (contract: node-api.md §14). */
export type ValidationResult = Readonly<Record<string, { readonly result: boolean; readonly reason?: string }>>;

/** Answer to LookUpNode and ContinueInspection: the node as its ramdisk may see it, secrets sealed. */
export interface RamdiskAnswer {
  readonly uuid: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly instance_info: Readonly<Record<string, unknown>>;
  readonly driver_internal_info: Readonly<Record<string, unknown>>;
  readonly management_interface: string;
  /** The token whose digest came with the command is the node's now. */
  readonly issued: boolean;
}
