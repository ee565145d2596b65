import { plainKinds, plainResources } from '@lib/contracts';
import { Refusal, decide, sealingKeys } from '@lib/domain';
import type { Node } from '@lib/domain';
import type { Call, EventMeta } from '@lib/ports';
import { documentsWith, removalWrite } from '../plain-resources';
import type { HandlerDeps } from './deps';

/** Kinds of what belongs to a node and goes with it. */
const parts = plainKinds.filter((kind) => plainResources[kind].ofNode);

/** A node goes with its ports, groups and volume records, in one append (contract: node-api.md §7). */
export async function removeNode(uuid: string, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { options, commits, clock, readModel, box } = deps;
  let keyIds: readonly string[] = [];
  const { before } = await commits.commit(uuid, meta, async ({ stream }) => {
    if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${uuid} could not be found.`);
    const now = clock.now();
    const events = decide({ type: 'Remove' }, stream, { now, host: options.host, policy: options.policy });
    const stored = await Promise.all(
      parts.map(async (kind) => ({ kind, documents: await documentsWith(kind, 'node_uuid', uuid, readModel) })),
    );
    const removals = stored.flatMap(({ kind, documents }) => documents.map((one) => removalWrite(kind, one, now)));
    keyIds = stored.flatMap(({ documents }) => documents.flatMap(({ json }) => [...sealingKeys(JSON.parse(json))]));
    return {
      events,
      writes: removals.map(({ write }) => write),
      changes: removals.flatMap(({ changes }) => changes),
      // What is made meanwhile by another conductor guards the node's version, which only this append moves.
      empties: parts.map((kind) => ({ kind, column: 'node_uuid', value: uuid })),
    };
  });
  const keyId = before.node?.keyId;
  await Promise.all([...new Set([...keyIds, ...(keyId ? [keyId] : [])])].map((id) => box.destroyKey(id)));
  if (before.node) await forgetBoots(before.node, deps);
}

/** Attempts of a node whose ramdisk boot was prepared and not cleaned up yet. */
const bootsOf = ({ inspection, effects }: Node): { readonly name: string; readonly attempt: number | null }[] => [
  ...(inspection?.bootInterface ? [{ name: inspection.bootInterface, attempt: inspection.attempt }] : []),
  ...effects.flatMap(({ task, attempt }) => (task.kind === 'clean up boot' ? [{ name: task.interface, attempt }] : [])),
];

const unbound: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };

/** A removed node has no effects any more, so what waits for its machine is taken away here, as well as can be. */
async function forgetBoots(node: Node, { hardware, logger }: HandlerDeps): Promise<void> {
  for (const { name, attempt } of bootsOf(node)) {
    try {
      await hardware.boot(name).cleanUpRamdisk({ uuid: node.uuid, attempt }, unbound);
    } catch (error) {
      const fields = { node: node.uuid, attempt, interface: name, reason: String(error) };
      logger.warn(fields, 'what was prepared to boot the ramdisk of a removed node is still there');
    }
  }
}
