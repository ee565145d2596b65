import { newPortDocument, portChanges } from '@lib/domain';
import type { HookOptions, NicSets, PortDocument } from '@lib/domain';
import type { Chance, Change, EventReader, Logger, ReadModel, StreamWrite } from '@lib/ports';
import { uuidOfStream } from '../node-streams';
import { documentsWith, loadResource, resourceWrite } from '../plain-resources';

export interface PortDeps {
  readonly readModel: ReadModel;
  readonly reader: Pick<EventReader, 'readStream'>;
  readonly chance: Chance;
  readonly logger: Logger;
}

export interface PortPlan {
  readonly writes: readonly StreamWrite[];
  readonly changes: readonly Change[];
}

/** MACs that a port of another node has. Whoever comes between this look and the append makes it try again. */
async function takenMacs(
  macs: readonly string[],
  own: readonly PortDocument[],
  readModel: ReadModel,
): Promise<ReadonlySet<string>> {
  const mine = new Set(own.map(({ uuid }) => uuid));
  const owners = await readModel.owners('port.address', macs);
  return new Set([...owners].filter(([, stream]) => !mine.has(uuidOfStream(stream))).map(([mac]) => mac));
}

/** Writes that bring the ports of a node in line with its NICs, against the ports as they are now. */
export async function planPorts(
  nodeUuid: string,
  nics: NicSets,
  options: HookOptions,
  at: number,
  { readModel, reader, chance, logger }: PortDeps,
): Promise<PortPlan> {
  const documents = await documentsWith('port', 'node_uuid', nodeUuid, readModel);
  const loaded = new Map(
    await Promise.all(documents.map(async ({ id }) => [id, await loadResource('port', id, reader)] as const)),
  );
  const own = [...loaded.values()].flatMap(({ resource }) => (resource ? [resource.document as PortDocument] : []));
  const macs = [...new Set(nics.valid.map(({ mac_address: mac }) => mac.toLowerCase()))];
  const taken = await takenMacs(macs, own, readModel);
  for (const mac of taken) {
    logger.warn({ node: nodeUuid, mac }, 'a port with this MAC belongs to another node; none is made here');
  }
  const { create, change, remove } = portChanges(nics, own, taken, options);
  const known = (uuid: string) => loaded.get(uuid) ?? { version: 0, resource: null };
  const planned = [
    ...create.map((fields) => {
      const uuid = chance.uuid();
      const document = newPortDocument(fields, nodeUuid, uuid);
      return resourceWrite('port', uuid, known(uuid), { type: 'Create', document }, at);
    }),
    ...change.map((document) =>
      resourceWrite('port', document.uuid, known(document.uuid), { type: 'Change', document }, at),
    ),
    ...remove.map((uuid) => resourceWrite('port', uuid, known(uuid), { type: 'Remove' }, at)),
  ];
  return { writes: planned.map(({ write }) => write), changes: planned.flatMap(({ changes }) => changes) };
}
