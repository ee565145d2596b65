import type { InspectInterfaceFacts, Node, NodeCommand, NodeStream, WorkStep } from '../..';
import { isHold } from '../../../states';
import { continueWith, heartbeat, inspectManaged, lookUp, provision } from '../commands';
import { deadlineChangeOf, elapseOf } from './deadlines';
import { allocationOf } from './fields';
import { outcomeOf } from './outcome';
import { factsOf, numberFrom, pick } from './throws';
import type { Throw } from './throws';

/** What moves a node on most: the outcome of its work, else the verb that its state knows. */
export function onward(node: Node, stream: NodeStream, chance: Throw): NodeCommand {
  const inspect = factsOf(node);
  if (node.effects.length > 0 && chance.what % 5 !== 0) {
    const open = node.effects.map(({ n }) => n);
    const effect = numberFrom(open, stream.counters.effect, chance);
    return { type: 'EndEffect', effect, outcome: outcomeOf(node, chance), inspect };
  }
  if (node.provisionState === 'inspect wait') {
    if (chance.how % 8 === 1) return deadlineChangeOf(node, chance, node.inspection?.startedAt ?? 0);
    return chance.which % 2 === 0 ? provision('abort', inspect) : continueWith(`digest-${chance.how % 3}`, inspect);
  }
  if (node.work) return onwardWork(node, stream, chance);
  if (node.provisionState === 'available' && chance.which % 2 === 0) return allocationOf(node, chance);
  if (node.provisionState === 'manageable' && chance.how % 7 > 3) {
    return verbOf(pick(['provide', 'clean'], chance.which), inspect, null, chance);
  }
  if (node.provisionState !== 'manageable' && chance.which % 3 !== 0) return provision('manage', inspect);
  return chance.how % 3 === 0 ? inspectManaged('ipxe', inspect) : provision('inspect', inspect);
}

/** Work that waits or is held: the ramdisk calls back, or an operator has enough of it. */
function onwardWork(node: Node, stream: NodeStream, chance: Throw): NodeCommand {
  const { which, how } = chance;
  if (isHold(node.provisionState)) return provision(which % 3 === 0 ? 'abort' : 'unhold');
  if (node.agentTokenDigest === null && which % 3 !== 0) return lookUp(`digest-${which % 3}`);
  if (how % 4 === 1) return elapseOf(stream, chance);
  return which % 3 === 0
    ? provision(pick(['abort', 'abort', 'deleted'], how))
    : heartbeat({ tokenDigest: node.agentTokenDigest ?? 'digest-0' });
}

export const verbs = [
  'manage',
  'provide',
  'inspect',
  'abort',
  'active',
  'rebuild',
  'deleted',
  'clean',
  'adopt',
  'rescue',
  'unrescue',
  'service',
  'unhold',
  'done',
  'bogus',
];

const steps: readonly WorkStep[] = [
  { interface: 'deploy', step: 'erase' },
  { interface: 'bios', step: 'apply', args: { settings: [] } },
  { interface: 'power', step: 'hold' },
];

/** A verb, with as many steps as the dice say where it takes some. */
export const verbOf = (
  target: string,
  inspect: InspectInterfaceFacts,
  problem: string | null,
  { how }: Throw,
): NodeCommand => ({
  ...provision(target, inspect, problem),
  ...(steps.length > how % 5 ? { steps: steps.slice(how % 5) } : {}),
  ...(how % 11 === 0 ? { ramdisk: false as const } : {}),
});
