import { finalPowerStateOf } from '../states';
import type { Effect } from './effects';
import type { NodeEvent } from './events';
import { agentPoweredOff, dateTime } from './evolve-machine';
import { closed, intentEnded, opened } from './open-effects';
import type { PowerEvent } from './power-events';
import type { Deadline, Node } from './state';

/** The power state that open power effects are heading for. */
function powerExpected(node: Node, effects: readonly Effect[]): Node {
  const last = effects.map((effect) => effect.task).findLast((task) => task.kind === 'power');
  return last?.kind === 'power' ? { ...node, targetPowerState: finalPowerStateOf(last.target) } : node;
}

/** Also when the machine turns out to be off already. */
const endsAgent = ({ task }: Effect): boolean => task.kind === 'power' && task.target !== 'power on';

/** The last power effect is what target_power_state shows; null when none is open. */
export const settlePower = (node: Node): Node => powerExpected({ ...node, targetPowerState: null }, node.effects);

/** Folds what was asked of a machine's power and boot device, and what came of it, into its node. */
export function evolvePower(node: Node, event: PowerEvent | Extract<NodeEvent, { type: 'EffectClosed' }>): Node {
  switch (event.type) {
    case 'PowerChangeRequested': {
      const { effect, takesReservation, host } = event.data;
      const asked = powerExpected(opened(endsAgent(effect) ? agentPoweredOff(node) : node, effect), [effect]);
      return {
        ...asked,
        lastError: node.provisionState === 'inspect failed' ? node.lastError : null,
        reservation: takesReservation ? { host, effect: effect.n } : node.reservation,
      };
    }
    case 'PowerChanged': {
      const { at, effect, powerState, changed } = event.data;
      return {
        ...settlePower(closed(node, effect)),
        powerState,
        driverInternalInfo: changed
          ? { ...node.driverInternalInfo, last_power_state_change: dateTime(at) }
          : node.driverInternalInfo,
      };
    }
    case 'PowerChangeFailed': {
      const keep = node.provisionState === 'inspect failed' && node.lastError !== null;
      const settled = settlePower(closed(node, event.data.effect));
      return { ...settled, lastError: keep ? `${node.lastError} Also: ${event.data.error}` : event.data.error };
    }
    case 'CleanUpFailed':
      return { ...settlePower(closed(node, event.data.effect)), lastError: event.data.lastError };
    case 'BootDeviceChangeRequested': {
      const { effect, giveUp, host } = event.data;
      const attempt = node.inspection?.attempt ?? 0;
      const deadline: Deadline = { ...giveUp, attempt, purpose: 'give up', effect: effect.n };
      return {
        ...opened(node, effect),
        reservation: { host, effect: effect.n },
        intent: { kind: 'set boot device', effect: effect.n, attempt },
        deadlines: [...node.deadlines, deadline],
      };
    }
    case 'BootDeviceChanged': {
      const { effect, device, persistent } = event.data;
      return { ...intentEnded(node, effect), bootDevice: { device, persistent } };
    }
    case 'BootDeviceChangeRefused':
      return intentEnded(node, event.data.effect);
    case 'EffectClosed': {
      const { effect } = event.data;
      const isPower = node.effects.some(({ n, task }) => n === effect && task.kind === 'power');
      return isPower ? settlePower(closed(node, effect)) : closed(node, effect);
    }
  }
}
