import type { Command, RamdiskAnswer } from '@lib/contracts';
import { Refusal, decide } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { HandlerDeps } from '../handle-command/deps';
import { inspectFactsOf } from '../handle-command/drive-node';
import { ramdiskAnswer } from '../ramdisk-lookup';
import { inventoryBlobs, postedBlobs } from '../stored-inventory';
import { discover } from './discover';
import { withLogsAside } from './logs-aside';
import { DataRefused } from './keep-refused';
import { NotWaiting, findWaitingNode } from './find-waiting-node';

type ContinueInspection = Extract<Command, { type: 'ContinueInspection' }>;

/**
 * A ramdisk posts its data: found, stored, accepted, in this order, so that what was answered with 202 can not be lost. A
 * node that is held (its start may still be open) is waited for and looked for again, in all for the time that any command
 * waits; then NODE_LOCKED, which the ramdisk tries again. What is refused for good may be kept for the operator.
 */
export async function continueInspection(
  command: ContinueInspection,
  meta: EventMeta,
  deps: HandlerDeps,
): Promise<RamdiskAnswer> {
  const { clock, commits, options } = deps;
  const { tokenDigest } = command;
  const giveUpAt = clock.now() + options.releaseWaitMs;
  for (;;) {
    let uuid: string | null = null;
    try {
      uuid = await findWaitingNode(command.askedNode, command.inventory, deps);
      return await accept(uuid, command, meta, deps);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error instanceof NotWaiting && error.isUnknown && options.inspection.discoveryDriver !== null)
        return ramdiskAnswer(await discover(command, options.inspection.discoveryDriver, meta, deps), tokenDigest);
      if (!error.waitsForRelease || uuid === null) {
        const owner = error instanceof NotWaiting ? error.node : uuid;
        throw owner === null ? error : new DataRefused(error, owner);
      }
      if (clock.now() >= giveUpAt) throw new Refusal(error.code, error.message);
      await commits.signals.waitFor(uuid, ({ node }) => !node?.reservation, giveUpAt);
    }
  }
}

async function accept(
  uuid: string,
  { inventory, pluginData, tokenDigest }: ContinueInspection,
  meta: EventMeta,
  deps: HandlerDeps,
): Promise<RamdiskAnswer> {
  const { commits, hardware, clock, options } = deps;
  const { before, after } = await withLogsAside(pluginData, deps, (aside) =>
    commits.commit(uuid, meta, async ({ stream }) => {
      const inspect = inspectFactsOf(stream.node, { hardware });
      const blobsOf = inspect.startsIntrospection ? postedBlobs : inventoryBlobs;
      const { stored: payload, blobs } = blobsOf(inventory, pluginData);
      const context = { now: clock.now(), host: options.host, policy: options.policy };
      const taken = { type: 'ContinueInspection', payload, tokenDigest, inspect } as const;
      const events = decide(taken, stream, context);
      // An inspector that it goes on to gets them with the data.
      if (inspect.startsIntrospection) return { events, blobs };
      return { events: decide({ ...taken, ...(await aside.put(uuid)) }, stream, context), blobs };
    }),
  );
  if (!before.node || !after.node) throw new Error(`node ${uuid} was found and is not there`);
  // The ramdisk sees its node as it posted; what the data changes comes later.
  return ramdiskAnswer({ ...before.node, agentTokenDigest: after.node.agentTokenDigest }, tokenDigest);
}
