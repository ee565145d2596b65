/**
 * Why a rule says no. Codes only: one place in the api maps them to HTTP (style, habit 11; docs/errors.md lists them).
 */
export const refusalCodes = [
  'NODE_NOT_FOUND',
  /** Another resource is not there; to a ramdisk whatever the reason, since it must not learn which: 404. */
  'RESOURCE_NOT_FOUND',
  /** Reserved by other work for longer than the retry window: 409, the client tries again. */
  'NODE_LOCKED',
  /** The verb is not possible in the node's provision state: 400. */
  'INVALID_STATE',
  /** The node's state does not allow the change: 409 (contract: node-api.md §6-7). */
  'STATE_CONFLICT',
  /** A value is not acceptable: 400. */
  'INVALID_PARAMETER',
  /** The patch cannot be applied: 400. */
  'INVALID_PATCH',
  /** The driver or interface does not support the call: 400. */
  'UNSUPPORTED_EXTENSION',
  /** Interface not enabled, not supported or without default: 400. */
  'INVALID_INTERFACE',
  /** No live conductor for driver and group: 400 on create and update. */
  'NO_VALID_HOST',
  'DUPLICATE_UUID',
  'DUPLICATE_NAME',
  'DUPLICATE_MAC',
  /** Another key that may be there only once: 409. */
  'DUPLICATE_KEY',
  'DUPLICATE_INSTANCE',
  /** The id of a command that was accepted came again with another command: 422, and nothing happened. */
  'COMMAND_ID_REUSED',
  /** What was to be changed is at another version than the client has seen: 412, and nothing happened. */
  'PRECONDITION_FAILED',
  /** The node has an instance: 409. */
  'NODE_ASSOCIATED',
  /** The node is protected: 403. */
  'NODE_PROTECTED',
  /** The operation is refused in maintenance: 400. */
  'IN_MAINTENANCE',
  /** The peer (inspector, BMC) refused or did not answer: the one 500 that the contract asks for (inspection.md §5). */
  /** The driver finds the node not ready for the operation: 500 (contract: node-api.md §10 step 17). */
  'VALIDATION_FAILED',
  'PEER_FAILED',
  /** Nothing happened; try again: 503. */
  'UNAVAILABLE',
  /** No worker is free: 503. */
  'NO_FREE_WORKER',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    /** True when the command may wait for the reservation to be released and be decided again (architecture, rule 11). */
    readonly waitsForRelease = false,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** For the default of every switch over a closed union. */
export const unreachable = (value: never): never => {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
};
