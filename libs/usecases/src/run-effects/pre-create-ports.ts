import { isMac } from '@lib/domain';
import type { InspectInterfaceFacts, Nic, PortWishes } from '@lib/domain';
import type { Call, HardwareRegistry, Machine, MachinePort } from '@lib/ports';

/** Makes the ports that are wished for, and tells which the node has then. */
export type MakePorts = (wishes: PortWishes) => Promise<readonly MachinePort[]>;

export interface PreCreated {
  readonly machine: Machine;
  readonly warnings: readonly string[];
}

/** Its inspection is the work of a ramdisk. */
const isInBand = ({ takesData, startsIntrospection }: InspectInterfaceFacts): boolean =>
  takesData || startsIntrospection;

const nicOf = (mac: string): Nic => ({ name: mac, mac_address: mac, pxe_enabled: true });

/** Options under which ports are only made: those that are there stay as they are. */
export const onlyMade = { addPorts: 'all', keepPorts: 'all', updatePxeEnabled: false } as const;

/**
 * Ports of the NICs that the BMC lists, before the ramdisk is booted and looked up by them (contract: inspection.md §4.1, step 1).
 * Hardware that can not tell is left alone; rejects where the BMC fails.
 */
export async function preCreatePorts(
  interfaceName: string,
  machine: Machine,
  hardware: HardwareRegistry,
  call: Call,
  make: MakePorts,
): Promise<PreCreated> {
  if (!isInBand(hardware.inspect(interfaceName).facts)) return { machine, warnings: [] };
  const management = hardware.management(machine.managementInterface);
  if (!management.macs) return { machine, warnings: [] };
  const told = await macsOf(management.macs.bind(management), machine, call);
  const macs = [...new Set(told.filter(isMac).map((mac) => mac.toLowerCase()))];
  if (macs.length === 0) return { machine, warnings: ['the BMC lists no NIC that a port could be made of'] };
  const all = macs.map(nicOf);
  const ports = await make({ nics: { all, valid: all, pxeMac: null }, edits: new Map() });
  return { machine: { ...machine, ports }, warnings: [] };
}

async function macsOf(
  ask: (machine: Machine, call: Call) => Promise<readonly string[]>,
  machine: Machine,
  call: Call,
): Promise<readonly string[]> {
  try {
    return await ask(machine, call);
  } catch (error) {
    await call.stillStands();
    throw new Error(`unable to start inspection: the NICs can not be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
