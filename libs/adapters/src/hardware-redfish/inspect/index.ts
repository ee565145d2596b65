import { inspectFacts } from '@lib/domain';
import type { JsonObject } from '@lib/domain';
import type { InspectInterface, InspectResult, Machine } from '@lib/ports';
import type { BmcConnections } from '../connections';
import { accessOf, accessProblem } from '../driver-info';
import type { RedfishOptions } from '../options';
import { findSystem } from '../system';
import { readInventory } from './inventory';
import type { Found } from './inventory';
import { Reader } from '../reader';

export { enabledMacs } from './nics';

/** Out-of-band inspection: all of the work inside its start, then MANAGEABLE (contract: redfish.md §4). */
export function redfishInspect(connections: BmcConnections, options: RedfishOptions): InspectInterface {
  return {
    facts: inspectFacts('redfish'),
    validate: ({ driverInfo }) => accessProblem(driverInfo, options),
    inspect: (machine, call) =>
      connections.using(accessOf(machine.driverInfo, options), async (bmc) => {
        const { document } = await findSystem(bmc, call);
        return told(await readInventory(document, new Reader(bmc, call)), machine, options);
      }),
  };
}

/** Without these a machine can not be deployed. */
const essential = ['memory_mb', 'local_gb', 'cpu_arch'];

/** What is measured goes with the data; the hooks of the settings are run over both by whoever asked. */
function told(found: Found, { properties: known }: Machine, options: RedfishOptions): InspectResult {
  const { inventory, pluginData, memoryMb, localGb, bootMode, warnings } = found;
  const isArchitectureTold = (inventory['cpu'] as JsonObject)['architecture'] !== '';
  // A machine that does not tell its instruction set is no failure out of band (contract: redfish.md §4): "" is kept.
  const hooks = isArchitectureTold ? options.hooks : options.hooks.filter((name) => name !== 'architecture');
  const isUntold = hooks.length < options.hooks.length;
  const { capabilities, cpu_arch: architecture } = known;
  return {
    returned: 'MANAGEABLE',
    properties: {
      ...(architecture === undefined ? {} : { cpu_arch: architecture }),
      ...(isUntold ? { cpu_arch: '' } : {}),
      ...(memoryMb === null ? {} : { memory_mb: memoryMb }),
      local_gb: localGb,
      ...withBootMode(capabilities, bootMode),
    },
    data: { inventory, pluginData },
    hooks,
    essential,
    warnings,
  };
}

/** What an operator wrote down of the boot mode stays (contract: redfish.md §4, row 9). */
function withBootMode(capabilities: unknown, mode: Found['bootMode']): JsonObject {
  if (mode === null) return {};
  if (capabilities === undefined || capabilities === null || capabilities === '')
    return { capabilities: `boot_mode:${mode}` };
  // A list in another spelling is not ours to rewrite.
  if (typeof capabilities !== 'string' || /(^|,)\s*boot_mode\s*:/.test(capabilities)) return {};
  return { capabilities: `${capabilities},boot_mode:${mode}` };
}
