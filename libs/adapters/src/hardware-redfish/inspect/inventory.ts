import type { JsonObject } from '@lib/domain';
import { numberIn, objectIn, textIn } from '../wire';
import { cpuOf } from './cpu';
import { parsedLldpOf } from './lldp';
import { nicsOf } from './nics';
import { pciDevicesOf } from './pci';
import type { Reader } from '../reader';
import { storageOf } from './storage';

export interface Found {
  readonly inventory: JsonObject;
  readonly pluginData: JsonObject;
  /** Null: the machine does not tell. */
  readonly memoryMb: number | null;
  readonly localGb: number;
  readonly bootMode: 'uefi' | 'bios' | null;
  readonly warnings: readonly string[];
}

const bootModes: Readonly<Record<string, 'uefi' | 'bios'>> = { UEFI: 'uefi', Legacy: 'bios' };

const present = (values: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Everything that out-of-band inspection reads, one thing after the other (contract: redfish.md §4). */
export async function readInventory(system: JsonObject, reader: Reader): Promise<Found> {
  const memoryMb = memoryOf(system);
  const cpu = cpuOf((await reader.members(system['Processors'])) ?? []);
  const { disks, controllers, localGb } = await storageOf(system, reader);
  const { interfaces, warnings } = await nicsOf(system, reader);
  const pciDevices = await reader.spared('PCI devices', () => pciDevicesOf(system, reader));
  const parsedLldp = await reader.spared('the words of switches', () => parsedLldpOf(system, interfaces, reader));
  const bootMode = bootModes[textIn(objectIn(system, 'Boot'), 'BootSourceOverrideMode') ?? ''] ?? null;
  return {
    inventory: {
      interfaces,
      cpu,
      ...(memoryMb === null ? {} : { memory: { physical_mb: memoryMb } }),
      disks,
      ...(controllers.length > 0 ? { storage_controllers: controllers } : {}),
      system_vendor: present({
        product_name: textIn(system, 'Model'),
        serial_number: textIn(system, 'SerialNumber'),
        manufacturer: textIn(system, 'Manufacturer'),
        system_uuid: textIn(system, 'UUID'),
      }),
      ...(bootMode === null ? {} : { boot: { current_boot_mode: bootMode } }),
    },
    pluginData: present({ pci_devices: pciDevices, parsed_lldp: parsedLldp }),
    memoryMb,
    localGb: localGb ?? 0,
    bootMode,
    warnings: [
      ...warnings,
      ...reader.warnings,
      ...(localGb === null ? ['no disk that an operating system fits on: local_gb is 0'] : []),
    ],
  };
}

function memoryOf(system: JsonObject): number | null {
  const gib = numberIn(objectIn(system, 'MemorySummary'), 'TotalSystemMemoryGiB');
  return gib === null ? null : Math.floor(gib * 1024);
}
