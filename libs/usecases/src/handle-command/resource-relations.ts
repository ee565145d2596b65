import { plainResources } from '@lib/contracts';
import type { PlainKind, PlainResource } from '@lib/contracts';
import { Refusal, checkPortInGroup, checkPortMove } from '@lib/domain';
import type { Node, PortDocument, ResourceDocument } from '@lib/domain';
import type { Change, Emptiness, Guard, StreamWrite } from '@lib/ports';
import { nodeStreamId } from '../node-streams';
import type { LoadedNode } from '../node-streams';
import { documentsWith, loadResource, resourceStreamId, resourceWrite } from '../plain-resources';
import type { HandlerDeps } from './deps';

const invalid = (text: string): Refusal => new Refusal('INVALID_PARAMETER', text);

/** Resources that a document names are there and, where they must be, of the same node; each is guarded. */
export async function guardReferences(
  { references, noun }: PlainResource,
  document: ResourceDocument,
  deps: HandlerDeps,
): Promise<Guard[]> {
  const named = references.filter(({ field }) => document[field] !== null && document[field] !== undefined);
  return Promise.all(
    named.map(async ({ field, kind, sameNode }) => {
      const uuid = String(document[field]);
      const { resource, version } = await loadResource(kind, uuid, deps.reader);
      if (!resource) throw invalid(`The ${plainResources[kind].noun} ${uuid} could not be found.`);
      if (sameNode && resource.document['node_uuid'] !== document['node_uuid'])
        throw invalid(`The ${plainResources[kind].noun} ${uuid} belongs to another node than the ${noun}.`);
      return { stream: resourceStreamId(kind, uuid), version };
    }),
  );
}

/** Refuses while others name the resource; the conditions keep it so until the append. */
export async function assertUnheld(
  { heldBy, noun }: PlainResource,
  uuid: string,
  deps: Pick<HandlerDeps, 'readModel'>,
): Promise<Emptiness[]> {
  for (const { kind, column } of heldBy) {
    const where = [{ column, is: 'equal', value: uuid }] as const;
    const sort = { column: 'seq', descending: false };
    const [holder] = (await deps.readModel.list({ kind, where, sort, limit: 1 })) ?? [];
    if (holder) throw invalid(`The ${noun} ${uuid} is not empty: ${kind} ${holder.id} belongs to it.`);
  }
  return heldBy.map(({ kind, column }) => ({ kind, column, value: uuid }));
}

/** A resource that goes to another node: that node is there, has the same owner, and is guarded. */
export async function guardNewNode(node: Node, nodeUuid: string, deps: HandlerDeps): Promise<Guard> {
  const { stream, version } = await deps.commits.streams.load(nodeUuid, false);
  if (!stream.node) throw invalid(`Node ${nodeUuid} could not be found.`);
  checkPortMove(node, stream.node);
  return { stream: nodeStreamId(nodeUuid), version };
}

export const guardNode = ({ stream, version }: LoadedNode): Guard[] =>
  stream.node ? [{ stream: nodeStreamId(stream.node.uuid), version }] : [];

/** A node that enters a chassis does so while that is there: the end of the chassis and this append exclude each other. */
export async function guardChassis(
  before: string | null,
  after: string | null,
  { reader }: Pick<HandlerDeps, 'reader'>,
): Promise<Guard[]> {
  if (after === null || after === before) return [];
  const { resource, version } = await loadResource('chassis', after, reader);
  if (!resource) throw invalid(`Chassis ${after} could not be found.`);
  return [{ stream: resourceStreamId('chassis', after), version }];
}

/** A port that enters a group obeys what holds for the group (contract: other-resources.md §1). */
export async function checkMembership(
  kind: PlainKind,
  given: ResourceDocument,
  document: ResourceDocument,
  deps: HandlerDeps,
): Promise<void> {
  const group = document['portgroup_uuid'];
  if (kind !== 'port' || typeof group !== 'string') return;
  const { resource } = await loadResource('portgroup', group, deps.reader);
  if (!resource) return;
  const members = (await documentsWith('port', 'portgroup_uuid', group, deps.readModel))
    .map(({ json }) => JSON.parse(json) as PortDocument)
    .filter(({ uuid }) => uuid !== document['uuid']);
  checkPortInGroup(given, document as PortDocument, resource.document, members);
}

/** The members of a group share its physical network (contract: other-resources.md §2). */
export async function followingMembers(
  kind: PlainKind,
  before: ResourceDocument,
  after: ResourceDocument,
  deps: HandlerDeps,
): Promise<{ readonly writes: StreamWrite[]; readonly changes: Change[] }> {
  const network = after['physical_network'];
  if (kind !== 'portgroup' || network === before['physical_network']) return { writes: [], changes: [] };
  const members = await documentsWith('port', 'portgroup_uuid', String(after['uuid']), deps.readModel);
  const followed = await Promise.all(
    members.map(async ({ id }) => {
      const port = await loadResource('port', id, deps.reader);
      const document = { ...port.resource?.document, physical_network: network };
      return resourceWrite('port', id, port, { type: 'Change', document }, deps.clock.now());
    }),
  );
  return { writes: followed.map(({ write }) => write), changes: followed.flatMap(({ changes }) => changes) };
}
