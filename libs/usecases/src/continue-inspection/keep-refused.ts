import type { Command } from '@lib/contracts';
import { Refusal, decide } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { HandlerDeps } from '../handle-command/deps';
import { inventoryBlobs } from '../stored-inventory';

type ContinueInspection = Extract<Command, { type: 'ContinueInspection' }>;

/** Data that is refused for good, of a node that is sure all the same. */
export class DataRefused extends Refusal {
  constructor(
    { code, message }: Refusal,
    readonly node: string,
  ) {
    super(code, message);
  }
}

/**
 * Keeps data that its ramdisk was told "not found" for. Under an id of its own: the command itself has no outcome, and is refused
 * again when it is sent again. A store that does not take it changes nothing of the answer.
 */
export async function keepRefused(
  uuid: string,
  { inventory, pluginData }: ContinueInspection,
  meta: EventMeta,
  { commits, chance, clock, options, logger }: HandlerDeps,
): Promise<void> {
  const { stored: payload, blobs } = inventoryBlobs(inventory, pluginData);
  const bytes = blobs.reduce((sum, blob) => sum + blob.bytes.length, 0);
  const { fingerprint: _, ...rest } = meta;
  const own = { ...rest, commandId: chance.uuid(), causation: `command ${meta.commandId}` };
  try {
    await commits.commit(uuid, own, ({ stream }) => {
      const context = { now: clock.now(), host: options.host, policy: options.policy };
      const events = decide({ type: 'KeepRefused', payload, bytes }, stream, context);
      return { events, blobs: events.length > 0 ? blobs : [] };
    });
  } catch (error) {
    const { requestId } = meta;
    logger.warn({ node: uuid, requestId, reason: String(error) }, 'refused inspection data could not be kept');
  }
}
