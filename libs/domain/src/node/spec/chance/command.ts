import type { InspectInterfaceFacts, NodeCommand, NodeStream } from '../..';
import { lostPower } from '../..';
import {
  agent,
  bootFrom,
  endMaintenance,
  heartbeat,
  interrupt,
  lookUp,
  maintain,
  power,
  remove,
  report,
} from '../commands';
import { deadlineChangeOf, elapseOf } from './deadlines';
import { allocationOf, born, traitsChangeOf, updateOf } from './fields';
import { managementOf, powerSeenOf, targets } from './machine';
import { onward, verbOf, verbs } from './onward';
import { factsOf, numberFrom, pick } from './throws';
import type { Throw } from './throws';

/** The command that a throw means for this state. */
export function commandOf(stream: NodeStream, chance: Throw, now: number): NodeCommand {
  const { what, which, how } = chance;
  const { node, counters } = stream;
  const inspect = factsOf(node);
  const problem = how % 13 === 12 ? 'a problem' : null;
  // What few throws would come to else: a machine that answers again, a retry whose time has come.
  if (node && lostPower(node) && what % 3 === 0) return powerSeenOf(chance);
  if (node?.deadlines.some(({ purpose }) => purpose === 'retry') && what % 3 === 1) return elapseOf(stream, chance);
  switch (what % 26) {
    case 0:
      return which % 3 === 0 ? remove : maintain('before a removal');
    case 1:
    case 2:
      return how % 3 === 0 ? maintain('why') : endMaintenance;
    case 3:
      if (how % 4 === 3 || node?.fields.fault === 'power failure') return powerSeenOf(chance);
      return power(pick(targets, which), null, problem);
    case 4:
      return how % 3 === 0 ? managementOf(chance) : bootFrom('pxe', how % 2 === 0, problem);
    case 5:
      if (how % 5 === 3) return allocationOf(node, chance);
      return how % 5 === 4 ? { type: 'ChangeTraits', change: traitsChangeOf(chance) } : updateOf(node, chance);
    case 6:
    case 7:
      return elapseOf(stream, chance);
    case 8:
      return how % 3 === 0 ? elapseOf(stream, chance) : deadlineChangeOf(node, chance, now);
    case 9:
    case 10: {
      if (how % 7 === 3) return refusedOf(stream, chance, inspect);
      const startedAt = (node?.inspection?.startedAt ?? now) + (how % 4) - 1;
      const attempt = how % 6 === 5 ? which % 4 : counters.attempt;
      return report(attempt, startedAt, { error: which % 3 === 0 ? 'an error' : null, inspect });
    }
    case 13:
      return lookUp(how % 3 === 0 ? null : `digest-${which % 3}`, how % 5 === 0);
    case 14:
      return heartbeat({
        tokenDigest: node?.agentTokenDigest ?? `digest-${which % 3}`,
        agentVersion: how % 9 === 0 ? null : `${how}`,
      });
    case 15: {
      const open = numberFrom(node?.effects.map(({ n }) => n) ?? [], counters.effect, chance);
      const lost = pick(['none', 'all', { effect: open }] as const, which);
      return interrupt(lost, how % 2 === 0 ? 'restart' : 'takeover', inspect);
    }
    case 11:
    case 12:
      return verbOf(pick(verbs, which), inspect, problem, chance);
    default:
      return node ? onward(node, stream, chance) : born(chance);
  }
}

/** Data that was refused, its use, or that of data that was taken before. */
function refusedOf({ node }: NodeStream, chance: Throw, inspect: InspectInterfaceFacts): NodeCommand {
  const { which, how } = chance;
  if (how % 4 === 3) return { type: 'ReprocessData', inspect: which % 2 === 0 ? agent : inspect };
  const payload = { inventory: `late-${which % 9}`, pluginData: 'late' };
  if (which % 3 !== 0) return { type: 'KeepRefused', payload, bytes: 1000 };
  const record = numberFrom(node?.refused.map(({ n }) => n) ?? [], 3, chance);
  return { type: 'PromoteRefused', record, inspect: which % 2 === 0 ? agent : inspect };
}
