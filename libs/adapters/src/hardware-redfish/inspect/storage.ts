import type { JsonObject } from '@lib/domain';
import { isObject, numberIn, objectIn, textIn } from '../wire';
import type { Reader } from '../reader';

const GIB = 1024 ** 3;
/** What is smaller holds no operating system: a boot stick, or a service partition. */
const ROOT_BYTES_MIN = 4 * GIB;

export interface Disk {
  readonly name: string | null;
  /** Bytes; null: not told. */
  readonly size: number | null;
}

export interface StorageSeen {
  readonly disks: readonly Disk[];
  readonly controllers: readonly JsonObject[];
  /** Null: nothing that an operating system fits on. */
  readonly localGb: number | null;
}

const diskOf = (document: JsonObject): Disk => ({
  name: textIn(document, 'Name'),
  size: numberIn(document, 'CapacityBytes'),
});

/** The smallest that an operating system fits on; null where there is none. */
function rootBytes(sizes: readonly (number | null)[]): number | null {
  const known = sizes.filter((size) => size !== null && size >= ROOT_BYTES_MIN) as number[];
  return known.length === 0 ? null : Math.min(...known);
}

/** Of what both kinds of storage tell, and of what one of them tells alone (contract: redfish.md §4). */
function localGbOf(simple: number | null, storage: number | null): number | null {
  const bytes = simple !== null && storage !== null ? Math.min(simple, storage) : (simple ?? storage);
  return bytes === null ? null : Math.max(0, Math.floor(bytes / GIB - 1));
}

/** contract: redfish.md §4, rows 3 to 5 */
export async function storageOf(system: JsonObject, reader: Reader): Promise<StorageSeen> {
  const units = (await reader.members(system['Storage'])) ?? [];
  const drives: Disk[] = [];
  const volumes: (number | null)[] = [];
  const controllers: JsonObject[] = [];
  for (const unit of units) {
    drives.push(...(await reader.each(unit['Drives'])).map(diskOf));
    volumes.push(...((await reader.members(unit['Volumes'])) ?? []).map((one) => numberIn(one, 'CapacityBytes')));
    controllers.push(...(await controllersOf(unit, reader)));
  }
  const devices = await simpleDevices(system, reader);
  const enabled = devices.filter((device) => textIn(objectIn(device, 'Status'), 'State') === 'Enabled').map(diskOf);
  const ofStorage = rootBytes(volumes) ?? rootBytes(drives.map(({ size }) => size));
  return {
    disks: drives.length > 0 ? drives : devices.map(diskOf),
    controllers,
    localGb: localGbOf(rootBytes(enabled.map(({ size }) => size)), ofStorage),
  };
}

async function simpleDevices(system: JsonObject, reader: Reader): Promise<readonly JsonObject[]> {
  const units = (await reader.members(system['SimpleStorage'])) ?? [];
  return units.flatMap(({ Devices: devices }) =>
    Array.isArray(devices) ? (devices as unknown[]).filter(isObject) : [],
  );
}

/** Of one unit: behind a link, or in its own document as older BMCs have them (contract: redfish.md §4, row 5). */
async function controllersOf(unit: JsonObject, reader: Reader): Promise<readonly JsonObject[]> {
  const { StorageControllers: inside } = unit;
  const linked = await reader.spared('storage controllers', () => reader.members(unit['Controllers']));
  if (linked && linked.length > 0) return linked.map(controllerOf);
  return Array.isArray(inside) ? (inside as unknown[]).filter(isObject).map(controllerOf) : [];
}

function controllerOf(one: JsonObject): JsonObject {
  const facts = {
    vendor: textIn(one, 'Manufacturer'),
    model: textIn(one, 'Model'),
    serial_number: textIn(one, 'SerialNumber'),
    firmware_version: textIn(one, 'FirmwareVersion'),
  };
  const told = Object.entries(facts).filter(([, value]) => value !== null);
  return { name: textIn(one, 'Name') ?? facts.model, ...Object.fromEntries(told) };
}
