import type { Command } from '@lib/contracts';
import { addressKey, bmcAddressesIn, decide, macsIn, usableMacs } from '@lib/domain';
import type { JsonObject, Node } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import { newNodeFields } from '../handle-command/create-node';
import type { HandlerDeps } from '../handle-command/deps';
import { nameUuid } from '../name-uuid';
import { inventoryBlobs } from '../stored-inventory';
import { withLogsAside } from './logs-aside';

type ContinueInspection = Extract<Command, { type: 'ContinueInspection' }>;

/**
 * The UUID of a machine that nobody knows. From its MACs, or from its BMC where it has none, so that data that is posted twice, or
 * again after its ports could not be made, does not make two nodes. A BMC may have another address by then.
 */
function uuidOf(inventory: JsonObject): string {
  const macs = usableMacs(macsIn(inventory));
  const keys = macs.length > 0 ? macs : bmcAddressesIn(inventory).map(addressKey);
  return nameUuid(`discovered/${[...new Set(keys)].sort().join(' ')}`);
}

/** `[auto_discovery]`: the machine becomes a node, and its data is processed (contract: inspection.md §6.6). */
export async function discover(
  { inventory, pluginData, tokenDigest }: ContinueInspection,
  driver: string,
  meta: EventMeta,
  deps: HandlerDeps,
): Promise<Node> {
  const { commits, clock, options, logger } = deps;
  const uuid = uuidOf(inventory);
  const fields = newNodeFields({ driver }, options);
  const { stored: payload, blobs } = inventoryBlobs(inventory, { ...pluginData, auto_discovered: true });
  const { before, after } = await withLogsAside(pluginData, deps, (aside) =>
    commits.commit(uuid, meta, async ({ stream }) => {
      const context = { now: clock.now(), host: options.host, policy: options.policy };
      const found = { type: 'Discover', uuid, fields, payload, tokenDigest } as const;
      decide(found, stream, context);
      return { events: decide({ ...found, ...(await aside.put(uuid)) }, stream, context), blobs };
    }),
  );
  if (!after.node) throw new Error(`node ${uuid} was discovered and is not there`);
  if (!before.node) logger.info({ node: uuid, driver }, 'a machine that nobody knew has become a node');
  return after.node;
}
