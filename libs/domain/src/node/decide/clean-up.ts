import type { Context, InspectInterfaceFacts } from '../commands';
import type { Effect } from '../effects';
import type { Node, NodeStream } from '../state';
import { isFastTrack } from './fast-track';

export type EndingCause = 'finished' | 'failed' | 'timed out' | 'aborted' | 'start failed';

/** Whether this ending powers the machine off (contract: inspection.md §4.4 and the RULE of §8). */
function powersOff(cause: EndingCause, facts: InspectInterfaceFacts, node: Node): boolean {
  if (facts.powerOff === 'never') return false;
  if (facts.powerOff === 'always') return cause !== 'start failed' || node.inspection?.manageBoot === true;
  return cause === 'timed out' || node.inspection?.manageBoot === true;
}

/** Effects that an ending leaves behind; they never change the provision state. */
export function cleanUpAfter(
  cause: EndingCause,
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  { policy }: Context,
): readonly Effect[] {
  if (!policy.inspectorPowerOff || isFastTrack(node, policy.fastTrack) || !powersOff(cause, facts, node)) return [];
  const target = node.fields.disable_power_off ? 'rebooting' : 'power off';
  const attempt = node.inspection?.attempt ?? null;
  return [
    { n: stream.counters.effect + 1, attempt, task: { kind: 'power', target, timeoutSeconds: null, cleanUp: true } },
  ];
}
