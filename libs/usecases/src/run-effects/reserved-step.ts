import { unreachable } from '@lib/domain';
import type { EffectValue, ReservedStep } from '@lib/domain';
import type { Call, Clock, Machine, PowerInterface } from '@lib/ports';

/** A step that means the same for every interface. */
export async function takeReserved(
  step: ReservedStep,
  machine: Machine,
  power: PowerInterface,
  call: Call,
  clock: Clock,
): Promise<EffectValue> {
  switch (step.does) {
    case 'hold':
      return { holds: true };
    case 'wait':
      if (step.seconds === null) return { waits: { abortable: true } };
      await pause(step.seconds * 1000, clock, call.signal);
      return {};
    case 'power': {
      if (machine.disablePowerOff && step.target === 'power off') throw new Error('the node has power off disabled');
      const { powerState, changed } = await power.change(machine, step.target, null, call);
      call.noticed?.({ powerState, changed, bootDevice: null });
      return {};
    }
    default:
      return unreachable(step);
  }
}

/** Rejects as soon as the signal says that nobody waits for it any more. */
const pause = (ms: number, clock: Clock, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = clock.after(ms, resolve);
    const end = (): void => {
      timer.cancel();
      reject(new Error('the pause was broken off'));
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
