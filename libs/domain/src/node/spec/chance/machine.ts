import type { NodeCommand } from '../..';
import type { Act } from '../../../management';
import type { PowerTarget } from '../../../states';
import { manage } from '../commands';
import { digit, pick } from './throws';
import type { Throw } from './throws';

export const targets: readonly PowerTarget[] = [
  'power on',
  'power off',
  'rebooting',
  'soft rebooting',
  'soft power off',
];

export const powerSeenOf = ({ which, how }: Throw): NodeCommand => ({
  type: 'NotePower',
  seen:
    which % 3 === 0
      ? { lost: 'no answer' }
      : { state: which % 2 === 0 ? 'power on' : 'power off', putRight: how % 3 === 0 },
});

const acts: readonly Act[] = [
  { act: 'set console', enabled: true },
  { act: 'set boot mode', mode: 'uefi' },
  { act: 'inject nmi' },
  { act: 'set indicator', component: 'chassis', indicator: 'led', state: 'on' },
  { act: 'attach media', deviceType: 'cdrom', imageUrl: 'http://192.0.2.1/a.iso', downloadSource: 'http' },
  { act: 'detach media', deviceTypes: [] },
  { act: 'call vendor method', method: 'm', httpMethod: 'POST', args: {} },
];

export function managementOf({ which, how }: Throw): NodeCommand {
  if (digit(how, 1) % 9 === 8)
    return { type: 'SetTargetRaid', config: which % 2 === 0 ? {} : { logical_disks: [how] } };
  const problem = digit(how, 2) % 9 === 8 ? 'a problem' : null;
  return manage(pick(acts, which), { waits: digit(how, 1) % 2 === 0, exclusive: digit(how, 1) % 3 !== 0, problem });
}
