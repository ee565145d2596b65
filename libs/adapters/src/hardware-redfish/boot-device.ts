import type { Machine } from '@lib/ports';
import type { BmcConnection, Turn } from './connection';
import { HardwareError } from './hardware-error';
import type { SystemSeen } from './system';
import { allowableIn, objectIn, textIn } from './wire';

/** Boot devices by the names of the API, and as Redfish calls them. */
const targets: Readonly<Record<string, string>> = {
  pxe: 'Pxe',
  disk: 'Hdd',
  cdrom: 'Cd',
  bios: 'BiosSetup',
  floppy: 'Floppy',
  uefihttp: 'UefiHttp',
};

export const bootDevices: readonly string[] = Object.keys(targets);

interface Setting {
  readonly bmc: BmcConnection;
  readonly turn: Turn;
}

/** What the next boot takes; null where nothing is set. */
export function bootDeviceOf({ document }: SystemSeen): {
  readonly boot_device: string | null;
  readonly persistent: boolean | null;
} {
  const boot = objectIn(document, 'Boot');
  const enabled = textIn(boot, 'BootSourceOverrideEnabled');
  const target = textIn(boot, 'BootSourceOverrideTarget');
  const device = Object.keys(targets).find((name) => targets[name] === target) ?? null;
  if (device === null || (enabled !== 'Once' && enabled !== 'Continuous'))
    return { boot_device: null, persistent: null };
  return { boot_device: device, persistent: enabled === 'Continuous' };
}

export async function setBootDevice(
  device: string,
  persistent: boolean,
  { path, document, etag }: SystemSeen,
  { bmc, turn }: Setting,
): Promise<void> {
  const target = targets[device];
  const boot = objectIn(document, 'Boot');
  const taken = allowableIn(boot, 'BootSourceOverrideTarget');
  if (target === undefined || (taken !== null && !taken.includes(target))) {
    throw new HardwareError(`The system ${path} can not boot from ${device}.`);
  }
  const enabled = persistent ? 'Continuous' : 'Once';
  // Some BMCs refuse what is set already; for one boot it has to be said again, since the last one used it up.
  const isSet = textIn(boot, 'BootSourceOverrideEnabled') === enabled;
  const wanted = { BootSourceOverrideTarget: target, ...(isSet ? {} : { BootSourceOverrideEnabled: enabled }) };
  await bmc.patch(path, { Boot: wanted }, turn, etag);
}

/** Sets a lasting choice anew where the BMC no longer knows it (contract: redfish.md §3). */
export async function restoreBootDevice(
  system: SystemSeen,
  { machine, ...setting }: Setting & { readonly machine: Pick<Machine, 'bootDevice'> },
): Promise<void> {
  const { bootDevice } = machine;
  if (!bootDevice?.persistent) return;
  const { boot_device: now, persistent } = bootDeviceOf(system);
  if (now === bootDevice.device && persistent) return;
  await setBootDevice(bootDevice.device, true, system, setting);
}
