import { inspectFacts, runHooks } from '@lib/domain';
import type { JsonObject } from '@lib/domain';
import type { InspectInterface, InspectResult, Machine } from '@lib/ports';
import type { BmcConnections } from '../connections';
import { accessOf, accessProblem } from '../driver-info';
import { HardwareError } from '../hardware-error';
import type { RedfishOptions } from '../options';
import { findSystem } from '../system';
import { readInventory } from './inventory';
import type { Found } from './inventory';
import { Reader } from './reader';

/** Out-of-band inspection: all of the work inside its start, then MANAGEABLE (contract: redfish.md §4). */
export function redfishInspect(connections: BmcConnections, options: RedfishOptions): InspectInterface {
  return {
    facts: inspectFacts('redfish'),
    validate: ({ driverInfo }) => accessProblem(driverInfo, options),
    inspect: (machine, call) =>
      connections.using(accessOf(machine.driverInfo, options), async (bmc) => {
        const { document } = await findSystem(bmc, call);
        return processed(await readInventory(document, new Reader(bmc, call)), machine, options);
      }),
  };
}

function processed(found: Found, machine: Machine, options: RedfishOptions): InspectResult {
  const { inventory, memoryMb, localGb, bootMode } = found;
  const isArchitectureTold = (inventory['cpu'] as JsonObject)['architecture'] !== '';
  // A machine that does not tell its instruction set is no failure out of band (contract: redfish.md §4): "" is kept.
  const names = isArchitectureTold ? options.hooks : options.hooks.filter((name) => name !== 'architecture');
  const untold = isArchitectureTold || names === options.hooks ? {} : { cpu_arch: '' };
  const ran = runHooks(names, {}, { inventory, options: options.hookOptions });
  if (!ran.ok) throw new HardwareError(`failed to run inspection hooks: ${ran.reason}`);
  const { capabilities, cpu_arch: known } = machine.properties;
  const properties = {
    ...(known === undefined ? {} : { cpu_arch: known }),
    ...untold,
    ...ran.properties,
    ...(memoryMb === null ? {} : { memory_mb: memoryMb }),
    local_gb: localGb,
    ...withBootMode(capabilities, bootMode),
  };
  const missing = ['memory_mb', 'local_gb', 'cpu_arch'].filter((name) => !Object.hasOwn(properties, name));
  if (missing.length > 0) {
    throw new HardwareError(`The machine does not tell these essential properties: ${missing.join(', ')}`);
  }
  return {
    returned: 'MANAGEABLE',
    properties,
    nics: ran.ports,
    data: { inventory, pluginData: ran.pluginData },
    warnings: [...found.warnings, ...ran.warnings],
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
