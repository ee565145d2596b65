import { inspectFacts } from '@lib/domain';
import type { InspectInterface, Machine } from '@lib/ports';
import { bootFromOutside, bootManaged, bootProblem, managesBoot, ramdiskParameters, underV1 } from '../boot-ramdisk';
import type { BootVerdictDeps, MachineInterfaces, RamdiskSettings } from '../boot-ramdisk';
import { lookupBmcAddresses } from '../inspect-inspector';
import type { LookupDeps } from '../inspect-inspector';

export interface AgentInterfaceDeps extends LookupDeps, MachineInterfaces, Pick<BootVerdictDeps, 'network'> {
  /** `[inspector] require_managed_boot`; unset means true for this interface (contract: inspection.md §4.1). */
  readonly requireManagedBoot: boolean | null;
  readonly ramdisk: RamdiskSettings;
}

/**
 * The inspect interface `agent`: the ramdisk posts what it finds to us (contract: inspection.md §4, §6). Where its boot interface can,
 * it boots the ramdisk; else the machine is sent to the network, where something outside serves it.
 */
export function agentInterface(deps: AgentInterfaceDeps): InspectInterface {
  const required: BootVerdictDeps = {
    boot: (name) => deps.boot(name),
    network: (name) => deps.network(name),
    required: deps.requireManagedBoot ?? true,
  };
  const validate = (machine: Machine): string | null =>
    bootProblem(machine, required) ?? deps.management(machine.managementInterface).validate(machine);

  return {
    facts: inspectFacts('agent'),
    validate,
    managesBoot: (machine) => managesBoot(machine, required),
    async inspect(machine, call) {
      const problem = validate(machine);
      if (problem !== null) throw new Error(`unable to start inspection: ${problem}`);
      const addresses = await lookupBmcAddresses(machine.driverInfo, machine.uuid, deps);
      const { managedBoot } = machine;
      const waits = { returned: 'INSPECTWAIT', manageBoot: managedBoot !== null, lookupBmcAddresses: addresses };
      if (managedBoot === null) {
        await bootFromOutside(machine, deps, call);
        return waits;
      }
      const callbackUrl = underV1(deps.ramdisk.apiUrl, 'continue_inspection');
      const parameters = ramdiskParameters(machine, callbackUrl, deps.ramdisk);
      await bootManaged(machine, deps.boot(managedBoot), parameters, deps, call);
      return { ...waits, callbackUrl };
    },
    /** Nobody is to be asked; what is left to do is the clean-up of every ending (contract: inspection.md §5). */
    abort: () => Promise.resolve(),
  };
}
