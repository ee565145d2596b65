import type { Node, NodeCommand } from '../..';
import type { TraitsChange } from '../../../traits';
import { someFields } from '../a-node';
import { discover, enroll, update } from '../commands';
import { digit, facts, pick } from './throws';
import type { Throw } from './throws';

const timeouts = [undefined, null, 0, 1, 0.25, 600];

export const born = (chance: Throw): NodeCommand =>
  chance.which % 9 === 8 ? discover(`digest-${chance.how % 3}`) : enrolled(chance);

const enrolled = ({ which, how }: Throw): NodeCommand =>
  enroll({ inspect_interface: pick(facts, how).name, driver_info: { inspect_wait_timeout: pick(timeouts, which) } });

export function updateOf(node: Node | null, { which, how }: Throw): NodeCommand {
  const before = node?.fields ?? someFields();
  const changes = [
    { extra: { how } },
    { maintenance: !before.maintenance },
    { inspect_interface: pick(facts, how).name },
    { driver_info: { inspect_wait_timeout: pick(timeouts, how), fast_track: how % 4 === 0 } },
    { disable_power_off: how % 2 === 0 },
    { protected: how % 2 === 0, retired: how % 3 === 0 },
    { instance_uuid: how % 2 === 0 ? null : `instance-${how}` },
    {},
  ];
  const change = pick(changes, which);
  return update({ ...before, ...change }, { minor: how % 2 === 0 ? 38 : 82, namedInterfaces: Object.keys(change) });
}

export function allocationOf(node: Node | null, { which, how }: Throw): NodeCommand {
  if (digit(how, 1) % 3 === 0) return { type: 'ReleaseAllocation' };
  const resourceClass = node?.fields.resource_class ?? null;
  const uuid = (which % 2 === 0 ? node?.fields.instance_uuid : null) ?? `allocation-${how}`;
  const owner = which % 3 === 0 ? 'somebody' : null;
  const request = { uuid, name: null, resourceClass, traits: [], candidates: [], owner };
  return { type: 'Allocate', request, inUse: which % 5 === 0 };
}

const traitNames = ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C', 'no trait'];

export function traitsChangeOf({ which, how }: Throw): TraitsChange {
  const name = pick(traitNames, which);
  const changes: readonly TraitsChange[] = [
    { set: [name] },
    { add: name },
    { remove: name, mustExist: true },
    { set: [] },
  ];
  return pick(changes, digit(how, 1));
}
