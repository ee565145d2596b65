import { Refusal, decide } from '@lib/domain';
import type { PortDocument } from '@lib/domain';
import type { Change, EventMeta, StoredDocument, StreamWrite } from '@lib/ports';
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
}
