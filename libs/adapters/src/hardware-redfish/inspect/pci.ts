import type { JsonObject } from '@lib/domain';
import { objectIn, pathIn, textIn } from '../wire';
import type { Reader } from '../reader';

/** A number as Redfish writes it (`0x10DE`), in the way of ramdisks: `10de`; null: not told (contract: ramdisk.md §3). */
function hexIn(document: JsonObject, key: string, digits: number): string | null {
  const [, hex] = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(textIn(document, key) ?? '') ?? [];
  return hex === undefined ? null : hex.toLowerCase().padStart(digits, '0');
}

/** `0000:3b:00.0`; null where the BMC does not tell, as older ones. */
function busAddressOf(one: JsonObject): string | null {
  const segment = hexIn(one, 'SegmentNumber', 4) ?? '0000';
  const [bus, device] = [hexIn(one, 'BusNumber', 2), hexIn(one, 'DeviceNumber', 2)];
  const number = hexIn(one, 'FunctionNumber', 1) ?? '0';
  return bus === null || device === null ? null : `${segment}:${bus}:${device}.${number}`;
}

const told = (entries: readonly (readonly [string, string | null])[]): JsonObject =>
  Object.fromEntries(entries.filter(([, value]) => value !== null));

/** Null where it is no function that an operating system would see. */
function deviceOf(one: JsonObject): JsonObject | null {
  const [vendor, product] = [hexIn(one, 'VendorId', 4), hexIn(one, 'DeviceId', 4)];
  const isThere = vendor !== null && product !== null && vendor !== 'ffff' && one['Enabled'] !== false;
  if (!isThere) return null;
  return {
    vendor_id: vendor,
    product_id: product,
    ...told([
      ['class', hexIn(one, 'ClassCode', 6)],
      ['revision', hexIn(one, 'RevisionId', 2)],
      ['bus', busAddressOf(one)],
    ]),
  };
}

/** The functions of a device: behind a link of its own, or in a list as older BMCs have them. */
const functionsOf = async (device: JsonObject, reader: Reader): Promise<readonly JsonObject[]> =>
  (await reader.members(device['PCIeFunctions'])) ?? reader.each(objectIn(device, 'Links')['PCIeFunctions']);

/**
 * `plugin_data.pci_devices` as a ramdisk tells them; null where the BMC tells of none (contract: redfish.md §4, row 7). A function
 * that is found by two ways counts once.
 */
export async function pciDevicesOf(system: JsonObject, reader: Reader): Promise<readonly JsonObject[] | null> {
  const { PCIeDevices: devices, PCIeFunctions: functions } = system;
  if (!Array.isArray(devices) && !Array.isArray(functions)) return null;
  const found = new Map<string, JsonObject>();
  const add = (all: readonly JsonObject[]): void => {
    for (const one of all) {
      const seen = deviceOf(one);
      if (seen !== null) found.set(pathIn(one) ?? `${found.size}`, seen);
    }
  };
  for (const device of await reader.each(devices)) add(await functionsOf(device, reader));
  add(await reader.each(unread(functions, found)));
  return [...found.values()];
}

const unread = (links: unknown, found: ReadonlyMap<string, unknown>): readonly unknown[] =>
  Array.isArray(links) ? (links as unknown[]).filter((link) => !found.has(pathIn(link) ?? '')) : [];
