import { completePort, newPortDocument, wishedChanges } from '@lib/domain';
import type { HookOptions, PortChanges, PortDocument, PortWishes } from '@lib/domain';
import type { Chance, Change, EventReader, Logger, ReadModel, StreamWrite } from '@lib/ports';
import { uuidOfStream } from '../node-streams';
import { documentsWith, loadResource, resourceWrite } from '../plain-resources';
import type { LoadedResource } from '../plain-resources';

/** What looking at a node's ports needs. */
export interface PortReading {
  readonly readModel: Pick<ReadModel, 'list' | 'owners'>;
  readonly reader: Pick<EventReader, 'readStream'>;
}

export interface PortDeps extends PortReading {
  readonly chance: Chance;
  readonly logger: Logger;
}

export interface PortPlan {
  readonly writes: readonly StreamWrite[];
  readonly changes: readonly Change[];
}

/** A node's ports as they are, and what the wishes of an inspection come to with them. */
export interface LookedUpPorts {
  readonly loaded: ReadonlyMap<string, LoadedResource>;
  readonly own: readonly PortDocument[];
  readonly taken: ReadonlySet<string>;
  readonly changes: PortChanges;
}

/** MACs that a port of another node has. Whoever comes between this look and the append makes it try again. */
async function takenMacs(
  macs: readonly string[],
  own: readonly PortDocument[],
  readModel: PortReading['readModel'],
): Promise<ReadonlySet<string>> {
  if (macs.length === 0) return new Set();
  const mine = new Set(own.map(({ uuid }) => uuid));
  const owners = await readModel.owners('port.address', macs);
  return new Set([...owners].filter(([, stream]) => !mine.has(uuidOfStream(stream))).map(([mac]) => mac));
}

export async function lookUpPorts(
  nodeUuid: string,
  wishes: PortWishes,
  options: HookOptions,
  { readModel, reader }: PortReading,
): Promise<LookedUpPorts> {
  const documents = await documentsWith('port', 'node_uuid', nodeUuid, readModel);
  const loaded = new Map(
    await Promise.all(documents.map(async ({ id }) => [id, await loadResource('port', id, reader)] as const)),
  );
  const own = [...loaded.values()].flatMap(({ resource }) => (resource ? [resource.document as PortDocument] : []));
  const macs = [...new Set((wishes.nics?.valid ?? []).map(({ mac_address: mac }) => mac.toLowerCase()))];
  const taken = await takenMacs(macs, own, readModel);
  return { loaded, own, taken, changes: wishedChanges(wishes, own, taken, options) };
}

/** Writes that give the ports of a node what an inspection wants of them, against the ports as they are now. */
export async function planPorts(
  nodeUuid: string,
  wishes: PortWishes,
  options: HookOptions,
  at: number,
  deps: PortDeps,
): Promise<PortPlan> {
  const { chance, logger } = deps;
  const { loaded, taken, changes } = await lookUpPorts(nodeUuid, wishes, options, deps);
  for (const mac of taken) {
    logger.warn({ node: nodeUuid, mac }, 'a port with this MAC belongs to another node; none is made here');
  }
  const { create, change, remove } = changes;
  const known = (uuid: string) => loaded.get(uuid) ?? { version: 0, resource: null };
  const planned = [
    ...create.map((fields) => {
      const uuid = chance.uuid();
      const document = newPortDocument(fields, nodeUuid, uuid);
      return resourceWrite('port', uuid, known(uuid), { type: 'Create', document }, at);
    }),
    ...change.map((port) => {
      const document = completePort(port, nodeUuid, port.uuid);
      return resourceWrite('port', port.uuid, known(port.uuid), { type: 'Change', document }, at);
    }),
    ...remove.map((uuid) => resourceWrite('port', uuid, known(uuid), { type: 'Remove' }, at)),
  ];
  return { writes: planned.map(({ write }) => write), changes: planned.flatMap(({ changes: derived }) => derived) };
}
