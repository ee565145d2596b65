import { enabledInterfaces } from '@app/conductor';
import type { Settings } from '@lib/contracts';
import { defaultInterface } from '@lib/domain';
import type { HardwareTypes } from '@lib/domain';
import type { HardwareRegistry } from '@lib/ports';

/**
 * Machines that `[auto_discovery]` makes nodes of have the default interfaces of its driver: the data of their ramdisks has to
 * mean something to the one for inspection (contract: inspection.md §6.6).
 */
export function discoveredNodesProblem(
  settings: Settings,
  types: HardwareTypes,
  hardware: Pick<HardwareRegistry, 'inspect'>,
): string | null {
  const { enabled, driver } = settings.auto_discovery;
  const type = enabled && driver !== null ? types.get(driver) : undefined;
  if (!type) return null;
  const name = defaultInterface(type, 'inspect', enabledInterfaces(settings));
  if (name !== null && hardware.inspect(name).facts.takesData) return null;
  return `[auto_discovery] driver: nodes of ${type.name} would have the inspect interface "${name}", which takes no data of ramdisks; set [DEFAULT] default_inspect_interface to one that does, such as agent`;
}
