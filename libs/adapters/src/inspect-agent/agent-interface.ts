import { inspectFacts } from '@lib/domain';
import type { InspectInterface, Machine } from '@lib/ports';
import { lookupBmcAddresses } from '../inspect-inspector';
import type { LookupDeps } from '../inspect-inspector';
import { bootRamdisk } from './boot-ramdisk';
import type { MachineInterfaces } from './boot-ramdisk';

export interface AgentInterfaceDeps extends LookupDeps, MachineInterfaces {
  /** `[inspector] require_managed_boot`; unset means true for this interface (contract: inspection.md §4.1). */
  readonly requireManagedBoot: boolean | null;
}

/**
 * The inspect interface `agent`: the ramdisk posts what it finds to us (contract: inspection.md §4, §6). No boot interface that
 * ships boots the ramdisk itself, so the machine is sent to the network, where something outside serves it.
 */
export function agentInterface(deps: AgentInterfaceDeps): InspectInterface {
  const validate = (machine: Machine): string | null =>
    (deps.requireManagedBoot ?? true)
      ? `Driver ${machine.bootInterface} does not support managed boot for inspection, which [inspector] require_managed_boot asks for.`
      : deps.management(machine.managementInterface).validate(machine);

  return {
    facts: inspectFacts('agent'),
    validate,
    async inspect(machine, call) {
      const problem = validate(machine);
      if (problem !== null) throw new Error(`unable to start inspection: ${problem}`);
      const addresses = await lookupBmcAddresses(machine.driverInfo, machine.uuid, deps);
      await bootRamdisk(machine, deps, call);
      return { returned: 'INSPECTWAIT', manageBoot: false, lookupBmcAddresses: addresses };
    },
    /** Nobody is to be asked; what is left to do is the clean-up of every ending (contract: inspection.md §5). */
    abort: () => Promise.resolve(),
  };
}
