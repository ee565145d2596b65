import type { MachineSeen, PowerTarget } from '@lib/domain';
import type { Call, Machine, ManagementInterface, PowerInterface } from '@lib/ports';

export interface MachineInterfaces {
  power(name: string): PowerInterface;
  management(name: string): ManagementInterface;
}

/** The device is for this boot only, unless the node says otherwise. */
function isPersistent({ driverInfo }: Machine): boolean {
  const wanted = driverInfo['force_persistent_boot_device'];
  return wanted === true || (typeof wanted === 'string' && /^(always|true)$/i.test(wanted));
}

const DEVICE = 'pxe';

/**
 * Off, to the network, on (contract: inspection.md §4.3). Before each step it is asked whether the inspection still stands;
 * after each it is told what became of the machine, so that a failure half way leaves the truth. A machine that must not be
 * powered off is restarted, or it would never see the ramdisk.
 */
export async function bootRamdisk(machine: Machine, interfaces: MachineInterfaces, call: Call): Promise<void> {
  const power = interfaces.power(machine.powerInterface);
  const management = interfaces.management(machine.managementInterface);
  let seen: MachineSeen = { powerState: machine.powerState, changed: false, bootDevice: null };
  const noticed = (now: Partial<MachineSeen>): void => {
    seen = { ...seen, ...now };
    call.noticed?.(seen);
  };
  const powered = async (target: PowerTarget): Promise<void> => {
    const { powerState, changed } = await power.change({ ...machine, powerState: seen.powerState }, target, null, call);
    noticed({ powerState, changed: seen.changed || changed });
  };
  const persistent = isPersistent(machine);
  await call.stillStands();
  if (!machine.disablePowerOff) await step(() => powered('power off'));
  await call.stillStands();
  await step(() => management.setBootDevice(machine, DEVICE, persistent, call));
  noticed({ bootDevice: { device: DEVICE, persistent } });
  await call.stillStands();
  await step(() => powered(machine.disablePowerOff ? 'rebooting' : 'power on'));
}

async function step(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    throw new Error(`unable to start inspection: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
