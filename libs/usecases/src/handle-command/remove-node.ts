import { Refusal, decide } from '@lib/domain';
import type { Node, PortDocument } from '@lib/domain';
import type { Call, Change, EventMeta, StoredDocument, StreamWrite } from '@lib/ports';
import { newEvent } from '../node-commits';
import { portStreamId } from '../node-streams';
import { portsOf } from '../port-streams';
import { projectPort } from '../project-port';
import type { HandlerDeps } from './deps';

function portRemoval(port: StoredDocument, at: number): { write: StreamWrite; changes: Change[] } {
  const document = JSON.parse(port.json) as PortDocument;
  return {
    write: {
      stream: portStreamId(port.id),
      expected: port.version,
      events: [newEvent({ type: 'PortRemoved', data: { at } })],
      removes: true,
    },
    changes: projectPort({ document, createdAt: at, updatedAt: null }, null, port.version + 1),
  };
}

/** A node goes with its ports, in one append (contract: node-api.md §7). */
export async function removeNode(uuid: string, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { options, commits, clock, readModel, box } = deps;
  const { before } = await commits.commit(uuid, meta, async ({ stream }) => {
    if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${uuid} could not be found.`);
    const now = clock.now();
    const events = decide({ type: 'Remove' }, stream, { now, host: options.host, policy: options.policy });
    const removals = (await portsOf(uuid, readModel)).map((port) => portRemoval(port, now));
    return {
      events,
      writes: removals.map(({ write }) => write),
      changes: removals.flatMap(({ changes }) => changes),
      // A port made meanwhile by another conductor guards the node's version, which only this append moves.
      empties: [{ kind: 'port', column: 'node_uuid', value: uuid }],
    };
  });
  const keyId = before.node?.keyId;
  if (keyId) await box.destroyKey(keyId);
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
