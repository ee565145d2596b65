import type { Call, Machine } from '@lib/ports';
import type { InspectorTransport } from './inspector-transport';
import { isStatus, utcMs } from './report';
import type { Status } from './report';

/**
 * What the inspector has of the machine's open attempt; null: nothing that is known to be of it. An older run is that of an
 * attempt before, by the rule that the status sync goes by (contract: inspection.md §9.5). Never rejects.
 */
export async function ownRun(
  { uuid, attemptBegunAt = null }: Machine,
  transport: InspectorTransport,
  { signal }: Call,
): Promise<Status | null> {
  if (attemptBegunAt === null) return null;
  try {
    const { status, body } = await transport.ask('status', { node: uuid }, signal);
    return status === 200 && isStatus(body) && utcMs(body.started_at) >= attemptBegunAt ? body : null;
  } catch {
    return null;
  }
}

/** A start that failed under way leaves a run with its reason. */
export const isFailed = ({ error }: Status): boolean => error !== null && error !== '';

/** It has the data of its ramdisk, whatever came of that. */
export const isFed = ({ finished, state }: Status): boolean => finished || state === 'processing';
