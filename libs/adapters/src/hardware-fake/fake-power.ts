import { finalPowerStateOf } from '@lib/domain';
import type { PowerTarget } from '@lib/domain';
import type { PowerInterface } from '@lib/ports';

/** Requests after which a machine has been off in between, so that something changed whatever it was. */
const restarts: ReadonlySet<PowerTarget> = new Set<PowerTarget>(['rebooting', 'soft rebooting']);

/** Reports what was last set, which is nothing (null) until the first request (contract: node-api.md §11). */
export const fakePower: PowerInterface = {
  validate: () => null,
  remembersOnly: true,
  read: async ({ powerState }) => powerState,
  change: async (machine, target, _timeoutSeconds, call) => {
    await call.stillStands();
    const powerState = finalPowerStateOf(target);
    return { powerState, changed: restarts.has(target) || powerState !== machine.powerState };
  },
};
