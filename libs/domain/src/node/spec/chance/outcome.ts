import type { EffectOutcome, Node } from '../..';
import { nextState } from '../../../states';
import { digit, pick } from './throws';
import type { Throw } from './throws';

const words = ['MANAGEABLE', 'INSPECTWAIT', 'INSPECTWAIT', 'INSPECTWAIT', 'INSPECTING', 'nonsense', null];

/** An interface does what the start was written down with: it boots the ramdisk or it does not. */
export function outcomeOf({ inspection, work, provisionState }: Node, { which, how }: Throw): EffectOutcome {
  const kind = how % 12;
  if (kind < 3) return { result: 'failed', reason: `reason ${which}` };
  if (kind === 3) return { result: 'cancelled' };
  const rest = digit(how, 1, 12);
  return {
    result: 'done',
    value: {
      returned: pick(words, rest),
      manageBoot: inspection?.manageBoot ?? (rest % 2 === 1 ? false : undefined),
      inventory: rest % 3 === 0 ? { inventory: `i${how}`, pluginData: `p${how}` } : null,
      powerState: which % 2 === 0 ? 'power on' : 'power off',
      changed: which % 7 !== 0,
      ...(work && nextState(provisionState, 'wait') && digit(which, 1) % 3 !== 0
        ? { waits: { abortable: which % 2 === 0 } }
        : {}),
      ...(digit(which, 1) % 7 === 1 ? { holds: true as const } : {}),
      ...(rest % 5 === 2 ? { parts: { bios: [{ name: 'setting', value: `${which % 3}` }] } } : {}),
      ...(rest % 2 === 0 ? { properties: { cpu_arch: pick(['x86_64', 'aarch64'], which) } } : {}),
      ...(rest % 3 === 1
        ? { machine: { powerState: 'power on' as const, changed: which % 2 === 0, bootDevice: null } }
        : {}),
    },
  };
}
