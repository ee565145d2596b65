import { Refusal } from '@lib/domain';

/**
 * What a failed call is told as. An interface's own errors speak for themselves; anything unforeseen names its type
 * (contract: inspection.md §3.1).
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return `Unexpected exception: ${String(error)}`;
  const own = error.constructor === Error || error.name === 'HardwareError';
  return own ? error.message : `Unexpected exception ${error.name}: ${error.message}`;
}
