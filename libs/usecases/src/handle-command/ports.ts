import type { Command } from '@lib/contracts';
import { Refusal, checkPortChange, checkPortMove, checkPortRemoval, newPortDocument } from '@lib/domain';
import type { Node, PortDocument, PortFields, ResourceCommand } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import { patchDocument } from '../json-patch';
import type { Plan } from '../node-commits';
import { nodeStreamId } from '../node-streams';
import type { LoadedNode } from '../node-streams';
import { loadPort, portWrite } from '../port-streams';
import type { LoadedPort } from '../port-streams';
import { checkedFields, emptyValue } from './check-fields';
import type { HandlerDeps } from './deps';

type CreatePort = Extract<Command, { type: 'CreatePort' }>;
type PatchPort = Extract<Command, { type: 'PatchPort' }>;
type RemovePort = Extract<Command, { type: 'RemovePort' }>;

function planPort(uuid: string, port: LoadedPort, command: ResourceCommand, node: LoadedNode, at: number): Plan {
  const { write, changes } = portWrite(uuid, port, command, at);
  return {
    events: [],
    writes: [write],
    changes,
    // A port belongs to a node that is there: its removal and this append exclude each other.
    guards: [{ stream: nodeStreamId(node.stream.node?.uuid ?? ''), version: node.version }],
  };
}

function nodeOf({ stream }: LoadedNode, uuid: string, code: 'NODE_NOT_FOUND' | 'INVALID_PARAMETER'): Node {
  if (!stream.node) throw new Refusal(code, `Node ${uuid} could not be found.`);
  return stream.node;
}

/** In every state of its node, also while that is reserved (contract: other-resources.md §1). */
export async function createPort(command: CreatePort, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { uuid, nodeUuid } = command;
  const fields = checkedFields('port', command.fields) as PortFields;
  await deps.commits.commit(nodeUuid, meta, async (node) => {
    nodeOf(node, nodeUuid, 'INVALID_PARAMETER');
    const document = newPortDocument(fields, nodeUuid, uuid);
    const port = await loadPort(uuid, deps.reader);
    return planPort(uuid, port, { type: 'Create', document }, node, deps.clock.now());
  });
}

function existing(port: LoadedPort, uuid: string, nodeUuid: string): PortDocument {
  const document = port.resource?.document as PortDocument | undefined;
  if (!document) throw new Refusal('PORT_NOT_FOUND', `Port ${uuid} could not be found.`);
  if (document.node_uuid !== nodeUuid)
    throw new Refusal('UNAVAILABLE', `Port ${uuid} was moved meanwhile; please try again.`);
  return document;
}

export async function patchPort(command: PatchPort, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { uuid, nodeUuid, patch, minor } = command;
  await deps.commits.commit(nodeUuid, meta, async (node) => {
    const owner = nodeOf(node, nodeUuid, 'NODE_NOT_FOUND');
    const port = await loadPort(uuid, deps.reader);
    const before = existing(port, uuid, nodeUuid);
    const patched = patchDocument(before, patch, (field) => emptyValue('port', field));
    const document = checkPortChange(owner, before, checkedFields('port', patched) as PortFields, minor);
    const moved = document.node_uuid !== nodeUuid;
    const target = moved ? await deps.commits.streams.load(document.node_uuid, false) : null;
    if (target) checkPortMove(owner, nodeOf(target, document.node_uuid, 'INVALID_PARAMETER'));
    const plan = planPort(uuid, port, { type: 'Change', document }, node, deps.clock.now());
    if (!target) return plan;
    return {
      ...plan,
      guards: [...(plan.guards ?? []), { stream: nodeStreamId(document.node_uuid), version: target.version }],
    };
  });
}

export async function removePort(command: RemovePort, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { uuid, nodeUuid } = command;
  await deps.commits.commit(nodeUuid, meta, async (node) => {
    const owner = nodeOf(node, nodeUuid, 'NODE_NOT_FOUND');
    const port = await loadPort(uuid, deps.reader);
    existing(port, uuid, nodeUuid);
    checkPortRemoval(owner);
    return planPort(uuid, port, { type: 'Remove' }, node, deps.clock.now());
  });
}
