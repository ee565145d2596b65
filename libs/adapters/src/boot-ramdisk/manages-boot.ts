import type { BootInterface, InspectionSupport, Machine, NetworkInterface } from '@lib/ports';

export interface BootVerdictDeps {
  boot(name: string): BootInterface;
  network(name: string): NetworkInterface;
  /** `[inspector] require_managed_boot` as it holds for the interface that asks. */
  readonly required: boolean;
}

/** Both must accept before we boot the ramdisk ourselves; the first that does not says why (contract: inspection.md §4.1 step 2). */
function support(machine: Machine, { boot, network }: BootVerdictDeps): InspectionSupport {
  const byBoot = boot(machine.bootInterface).validateInspection(machine);
  return byBoot.verdict === 'supported' ? network(machine.networkInterface).validateInspection(machine) : byBoot;
}

export const managesBoot = (machine: Machine, deps: BootVerdictDeps): boolean =>
  support(machine, deps).verdict === 'supported';

/** Why the inspection cannot be started this way, null when it can. */
export function bootProblem(machine: Machine, deps: BootVerdictDeps): string | null {
  const found = support(machine, deps);
  switch (found.verdict) {
    case 'supported':
      return null;
    case 'missing parameter':
      return found.reason;
    case 'unsupported':
      return deps.required ? `${found.reason} [inspector] require_managed_boot asks for it.` : null;
  }
}
