import { unreachable } from '../refusal';
import { enter } from './enter';
import type { NodeEvent } from './events';
import { closed, opened } from './open-effects';
import type { Node } from './state';

export type WorkEvent = Extract<NodeEvent, { type: `Work${string}` }>;

/** Folds what happens to lifecycle work into its node. */
export function evolveWork(node: Node, event: WorkEvent): Node {
  switch (event.type) {
    case 'WorkStarted': {
      const { at, work, state, effect, host, target, changed = {}, keyId } = event.data;
      const entered = enter(node, state, at);
      return {
        ...opened(entered, effect),
        targetProvisionState: target ?? entered.targetProvisionState,
        lastError: null,
        reservation: { host, effect: effect.n },
        fields: { ...node.fields, ...changed },
        keyId: keyId ?? node.keyId,
        driverInternalInfo:
          work === 'deploy' ? { ...node.driverInternalInfo, deploy_steps: null } : node.driverInternalInfo,
      };
    }
    case 'WorkFinished': {
      const { at, state, effect, powerState, changed = {}, next, host } = event.data;
      const ended = { ...closed(enter(node, state, at), effect), powerState, fields: { ...node.fields, ...changed } };
      return next && host !== undefined ? { ...opened(ended, next), reservation: { host, effect: next.n } } : ended;
    }
    case 'WorkFailed': {
      const { at, state, effect, error } = event.data;
      return { ...closed(enter(node, state, at), effect), lastError: error };
    }
    case 'WorkInterrupted': {
      const { at, state, effect, error } = event.data;
      const ended = closed(enter(node, state, at), effect);
      return { ...ended, reservation: null, lastError: error };
    }
    default:
      return unreachable(event);
  }
}
