import { isObject, type JsonObject } from '../json';

/** `ipa-inspection-collectors` where the command line names none. */
export const defaultCollectors: readonly string[] = ['default', 'logs'];

/** Which collector brings which keys of the data (contract: ramdisk.md §3). */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  default: ['inventory', 'root_disk', 'boot_interface', 'configuration'],
  logs: ['logs'],
  'pci-devices': ['pci_devices'],
  'numa-topology': ['numa_topology'],
  lldp: ['lldp_raw'],
  'usb-devices': ['usb_devices'],
  'dmi-decode': ['dmi'],
  'extra-hardware': ['data'],
};

/** The data that a ramdisk with these collectors sends; `error` always. Names that nobody knows collect nothing. */
export const collected = (payload: JsonObject, collectors: readonly string[]): JsonObject => {
  const keys = new Set(['error', ...collectors.flatMap((name) => (Object.hasOwn(keysOf, name) ? keysOf[name]! : []))]);
  const kept = Object.fromEntries(Object.entries(payload).filter(([key]) => keys.has(key)));
  const { configuration } = kept;
  return isObject(configuration) ? { ...kept, configuration: { ...configuration, collectors: [...collectors] } } : kept;
};
