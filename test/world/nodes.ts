import type { Command, PatchOperation } from '@lib/contracts';
import { emptyStream } from '@lib/domain';
import type { NodeStream } from '@lib/domain';
import { foldRecorded, nodeStreamId } from '@lib/usecases';
import type { World } from './world';

export const uuidOf = (index: number): string => `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, '0')}`;
export const NODE = uuidOf(1);

export const creation = (uuid = NODE, fields: Readonly<Record<string, unknown>> = {}): Command => ({
  type: 'CreateNode',
  uuid,
  fields: { driver: 'fake-hardware', inspect_interface: 'inspector', ...fields },
  initialState: 'enroll',
});

export const provision = (target: string, uuid = NODE): Command => ({ type: 'Provision', uuid, target, args: {} });

export const patch = (
  operations: readonly PatchOperation[],
  uuid = NODE,
  rest: { minor?: number; resetInterfaces?: boolean } = {},
): Command => ({
  type: 'PatchNode',
  uuid,
  patch: operations,
  minor: rest.minor ?? 82,
  resetInterfaces: rest.resetInterfaces ?? false,
});

export const replace = (path: string, value: unknown): PatchOperation => ({ op: 'replace', path, value });

export const maintain = (uuid = NODE): Command => ({ type: 'SetMaintenance', uuid, reason: null });
export const unmaintain = (uuid = NODE): Command => ({ type: 'ClearMaintenance', uuid });
export const removal = (uuid = NODE): Command => ({ type: 'RemoveNode', uuid });
export const powerTo = (target: string, uuid = NODE): Command => ({
  type: 'ChangePower',
  uuid,
  target,
  timeoutSeconds: null,
});

/** Enrolled and managed. */
export async function manageable(
  world: World,
  uuid = NODE,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await world.do(creation(uuid, fields));
  await world.do(provision('manage', uuid));
  await inState(world, uuid, 'manageable');
}

/** In `inspect wait`, the inspector told to start. */
export async function waiting(
  world: World,
  uuid = NODE,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await manageable(world, uuid, fields);
  await world.do(provision('inspect', uuid));
  await inState(world, uuid, 'inspect wait');
}

async function inState(world: World, uuid: string, state: string): Promise<void> {
  const document = await documentOf(world, uuid);
  if (document?.['provision_state'] !== state) throw new Error(`the node is ${JSON.stringify(document)}`);
}

/** The node as the read model shows it; null when it is not there. */
export async function documentOf(world: World, uuid = NODE): Promise<Record<string, unknown> | null> {
  const [document] = await world.memory.readModel.get('node', [uuid]);
  return document ? (JSON.parse(document.json) as Record<string, unknown>) : null;
}

/** Types of the events of a node, in order; of those after a version. */
export async function eventTypes(world: World, uuid = NODE, after = 0): Promise<string[]> {
  const events = await world.memory.log.readStream(nodeStreamId(uuid), after, 10_000);
  return events.map(({ type }) => type);
}

export async function eventData(world: World, type: string, uuid = NODE): Promise<Record<string, unknown>[]> {
  const events = await world.memory.log.readStream(nodeStreamId(uuid), 0, 10_000);
  return events.filter((event) => event.type === type).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

/** The fold of the node's stream from its first event. */
export async function streamOf(world: World, uuid = NODE): Promise<NodeStream> {
  const events = await world.memory.log.readStream(nodeStreamId(uuid), 0, 100_000);
  return foldRecorded({ version: 0, stream: emptyStream }, events).stream;
}

/** Endings of a node's attempts, in order. */
export async function endings(world: World, uuid = NODE): Promise<string[]> {
  const ends = /^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/;
  return (await eventTypes(world, uuid)).filter((type) => ends.test(type));
}
