import { Refusal } from '../../refusal';
import { nextState } from '../../states';
import type { Context, InspectInterfaceFacts, NodeCommand } from '../commands';
import type { Effect, StoredInventory } from '../effects';
import type { NodeEvent } from '../events';
import type { NodeStream } from '../state';
import { existing, unreserved } from './guards';

type Started = Extract<NodeEvent, { type: 'InspectionStarted' }>;

/**
 * An attempt that begins with the processing of data that is there: the machine is left alone, at the end as well. From where an
 * inspection may start, and with an interface that takes data.
 */
export function startedWith(
  payload: StoredInventory,
  from: { readonly promotes: number } | { readonly reprocesses: number },
  inspect: InspectInterfaceFacts,
  stream: NodeStream,
  { now: at, host }: Context,
): Started {
  const node = existing(stream);
  if (nextState(node.provisionState, 'inspect') !== 'inspecting') {
    unreserved(node, false);
    const text = `Inspection data of node ${node.uuid} can not be processed while it is in state "${node.provisionState}".`;
    throw new Refusal('STATE_CONFLICT', text);
  }
  unreserved(node);
  if (!inspect.takesData) {
    throw new Refusal('UNSUPPORTED_EXTENSION', `Driver ${inspect.name} does not process inspection data.`);
  }
  const attempt = stream.counters.attempt + 1;
  const effect: Effect = {
    n: stream.counters.effect + 1,
    attempt,
    task: { kind: 'process inspection data', payload },
  };
  const own = { interface: node.fields.inspect_interface, timeoutSeconds: 0, timeoutFrom: 'settings' } as const;
  return { type: 'InspectionStarted', data: { at, attempt, ...own, effect, host, ...from } };
}

/** Hooks and rules run once more over what the last ramdisk posted, well or not as that went. */
export function decideReprocess(
  { inspect }: Extract<NodeCommand, { type: 'ReprocessData' }>,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  const { uuid, posted } = existing(stream);
  if (!posted) throw new Refusal('RESOURCE_NOT_FOUND', `No ramdisk of node ${uuid} has posted data to be processed.`);
  return [startedWith(posted.payload, { reprocesses: posted.attempt }, inspect, stream, context)];
}
