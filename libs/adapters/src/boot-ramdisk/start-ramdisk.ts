import type { MachineSeen, PowerTarget } from '@lib/domain';
import type { BootInterface, Call, Machine, ManagementInterface, PowerInterface, PreparedBoot } from '@lib/ports';

export interface MachineInterfaces {
  power(name: string): PowerInterface;
  management(name: string): ManagementInterface;
  boot(name: string): BootInterface;
}

const DEVICE = 'pxe';

/** The boot device is for this boot only, unless the node says otherwise (contract: inspection.md §4.3). */
export function persistsBootDevice({ driverInfo }: Machine): boolean {
  const wanted = driverInfo['force_persistent_boot_device'];
  return wanted === true || (typeof wanted === 'string' && /^(always|true)$/i.test(wanted));
}

/**
 * Off, what prepares the boot, on (contract: inspection.md §4.2, §4.3). Before each step it is asked whether the inspection still
 * stands; after each it is told what became of the machine, so that a failure half way leaves the truth. A machine that must
 * not be powered off is restarted, or it would never see the ramdisk. All of it may be done a second time: a conductor that
 * died on the way has a successor.
 */
async function powerCycled(
  machine: Machine,
  interfaces: MachineInterfaces,
  call: Call,
  prepare: readonly (() => Promise<PreparedBoot | null | undefined>)[],
): Promise<void> {
  const power = interfaces.power(machine.powerInterface);
  let seen: MachineSeen = { powerState: machine.powerState, changed: false, bootDevice: null };
  const noticed = (now: Partial<MachineSeen>): void => {
    seen = { ...seen, ...now };
    call.noticed?.(seen);
  };
  const powered = async (target: PowerTarget): Promise<void> => {
    // What was set for this boot goes before what lasts, which is not to be set anew over it.
    const now = { ...machine, powerState: seen.powerState, bootDevice: seen.bootDevice ?? machine.bootDevice };
    const { powerState, changed } = await power.change(now, target, null, call);
    noticed({ powerState, changed: seen.changed || changed });
  };
  await call.stillStands();
  if (!machine.disablePowerOff) await startStep(() => powered('power off'));
  for (const step of prepare) {
    await call.stillStands();
    const prepared = await startStep(step);
    if (prepared) noticed(seenOf(prepared));
  }
  await call.stillStands();
  await startStep(() => powered(machine.disablePowerOff ? 'rebooting' : 'power on'));
}

const seenOf = ({ agentTokenDigest, ...bootDevice }: PreparedBoot): Partial<MachineSeen> => ({
  bootDevice,
  ...(agentTokenDigest === undefined ? {} : { agentTokenDigest }),
});

/** Something outside serves the ramdisk: the machine is sent to the network. */
export async function bootFromOutside(machine: Machine, interfaces: MachineInterfaces, call: Call): Promise<void> {
  const management = interfaces.management(machine.managementInterface);
  const persistent = persistsBootDevice(machine);
  const setDevice = async () => {
    await management.setBootDevice(machine, DEVICE, persistent, call);
    return { device: DEVICE, persistent };
  };
  await powerCycled(machine, interfaces, call, [setDevice]);
}

/**
 * The boot interface boots the ramdisk. `tell` runs between its preparation and the power. When the inspection is over
 * before the machine is on, nobody else knows what was prepared: it is taken away again.
 */
export async function bootManaged(
  machine: Machine,
  boot: BootInterface,
  kernelParameters: readonly string[],
  interfaces: MachineInterfaces,
  call: Call,
  tell: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const told = async () => {
    await tell();
    return undefined;
  };
  try {
    await powerCycled(machine, interfaces, call, [() => boot.prepareRamdisk(machine, kernelParameters, call), told]);
  } catch (error) {
    if (!(await stands(call))) await boot.cleanUpRamdisk(machine, call).catch(() => undefined);
    throw error;
  }
}

const stands = (call: Call): Promise<boolean> =>
  call.stillStands().then(
    () => true,
    () => false,
  );

/** A failure on the way to the ramdisk is told as one (contract: inspection.md §14). */
export async function startStep<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new Error(`unable to start inspection: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
