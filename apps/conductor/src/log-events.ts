import type { EventMeta, Logger } from '@lib/ports';
import type { Committed } from '@lib/usecases';

/** Steps on the way; what a node came to is for everybody, these are for who looks closer. */
const detail: ReadonlySet<string> = new Set([
  'EffectClosed',
  'NodeUpdated',
  'PowerChangeRequested',
  'BootDeviceChangeRequested',
  'ManagementRequested',
]);

const attemptOf = (data: object): number | undefined =>
  'attempt' in data && typeof data.attempt === 'number' ? data.attempt : undefined;

/** One log line per event, with the request, the node and the attempt that it belongs to. */
export function logEvents(logger: Logger): (uuid: string, committed: Committed, meta: EventMeta) => void {
  return (uuid, { events, recorded, after }, { requestId, globalRequestId, causation }) => {
    events.forEach(({ type, data }, index) => {
      const fields = {
        node: uuid,
        attempt: attemptOf(data),
        requestId: requestId ?? undefined,
        globalRequestId,
        causation: causation ?? undefined,
        version: recorded[index]?.version,
        state: after.node?.provisionState,
      };
      if (detail.has(type)) logger.debug(fields, type);
      else logger.info(fields, type);
    });
  };
}
