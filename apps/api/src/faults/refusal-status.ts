import type { RefusalCode } from '@lib/domain';
import { ApiFault } from './api-fault';

/** The one place where a rule's code becomes a status. docs/errors.md shows the same table; a spec compares them. */
export const refusalStatus: Readonly<Record<RefusalCode, number>> = {
  NODE_NOT_FOUND: 404,
  RESOURCE_NOT_FOUND: 404,
  NODE_LOCKED: 409,
  INVALID_STATE: 400,
  STATE_CONFLICT: 409,
  INVALID_PARAMETER: 400,
  INVALID_PATCH: 400,
  UNSUPPORTED_EXTENSION: 400,
  INVALID_INTERFACE: 400,
  NO_VALID_HOST: 400,
  DUPLICATE_UUID: 409,
  DUPLICATE_NAME: 409,
  DUPLICATE_MAC: 409,
  DUPLICATE_KEY: 409,
  DUPLICATE_INSTANCE: 409,
  COMMAND_ID_REUSED: 422,
  PRECONDITION_FAILED: 412,
  NODE_ASSOCIATED: 409,
  NODE_PROTECTED: 403,
  IN_MAINTENANCE: 400,
  VALIDATION_FAILED: 500,
  PEER_FAILED: 500,
  UNAVAILABLE: 503,
  NO_FREE_WORKER: 503,
};

export function refusalFault(code: RefusalCode, message: string): ApiFault {
  return new ApiFault(refusalStatus[code] ?? 500, message);
}
