import { unreachable } from '../refusal';
import type { ManagementEvent } from './management-events';
import { closed, intentEnded, opened } from './open-effects';
import type { Deadline, Node } from './state';

/** Folds what is asked of a machine beside power, boot device and work into its node. */
export function evolveManagement(node: Node, event: ManagementEvent): Node {
  switch (event.type) {
    case 'ManagementRequested': {
      const { effect, takesReservation, giveUp, host, keyId } = event.data;
      const asked: Node = {
        ...opened(node, effect),
        keyId: keyId ?? node.keyId,
        reservation: takesReservation ? { host, effect: effect.n } : node.reservation,
      };
      if (!giveUp) return asked;
      const attempt = node.inspection?.attempt ?? 0;
      const deadline: Deadline = { ...giveUp, attempt, purpose: 'give up', effect: effect.n };
      return {
        ...asked,
        intent: { kind: 'manage', effect: effect.n, attempt },
        deadlines: [...node.deadlines, deadline],
      };
    }
    case 'ManagementDone': {
      const { effect, changed } = event.data;
      return { ...ended(node, effect), managed: { ...node.managed, ...changed } };
    }
    case 'ManagementFailed': {
      const { effect, error } = event.data;
      const after = ended(node, effect);
      // Who waits is told; for the others it stands on the node.
      if (node.intent?.effect === effect) return after;
      const keep = node.provisionState === 'inspect failed' && node.lastError !== null;
      return { ...after, lastError: keep ? `${node.lastError} Also: ${error}` : error };
    }
    default:
      return unreachable(event);
  }
}

const ended = (node: Node, effect: number | null): Node =>
  effect !== null && node.intent?.effect === effect ? intentEnded(node, effect) : closed(node, effect);
