import type { DiscoveryEvent } from './discovery-events';
import { dateTime } from './evolve-machine';
import { closed, opened } from './open-effects';
import { postedIn } from './posted';
import type { Node } from './state';

/** Folds what becomes of a discovered machine's data into its node. */
export function evolveDiscovery(node: Node, event: DiscoveryEvent): Node {
  switch (event.type) {
    case 'DiscoveryStarted': {
      const { at, effect, host, tokenDigest } = event.data;
      return {
        ...opened(node, effect),
        posted: postedIn(effect, 0) ?? node.posted,
        lastError: null,
        reservation: { host, effect: effect.n },
        agentTokenDigest: tokenDigest ?? node.agentTokenDigest,
        driverInternalInfo: { ...node.driverInternalInfo, agent_last_heartbeat: dateTime(at) },
      };
    }
    case 'DiscoveryFinished':
      return { ...closed(node, event.data.effect), inventory: event.data.inventory ?? node.inventory };
    case 'DiscoveryFailed':
      return { ...closed(node, event.data.effect), lastError: event.data.error };
  }
}
