import { isObject, listAt, numberAt } from '../introspection/json';
import { GIB, hintFits } from '../introspection/hooks/root-disk';
import type { JsonObject } from '../node/fields';
import { HookFailure } from './types';
import type { Hook } from './types';

const valueOf = (disk: JsonObject, key: string): unknown =>
  key === 'size' ? Math.floor((numberAt(disk, 'size') ?? 0) / GIB) : disk[key];

const fits = (disk: JsonObject, hints: JsonObject): boolean =>
  Object.entries(hints).every(([key, hint]) => {
    const value = valueOf(disk, key);
    return value !== null && value !== undefined && hintFits(value, hint);
  });

function hintsIn(value: unknown, name: string): JsonObject {
  if (isObject(value)) return value;
  throw new HookFailure(`root-device: ${name} is no object of hints`);
}

function skipped(value: unknown): readonly JsonObject[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new HookFailure('root-device: skip_block_devices is no list');
  return value.map((hints) => hintsIn(hints, 'an entry of skip_block_devices'));
}

/** The disk that the hints name; without hints the ramdisk's own choice, or none. */
function rootDisk(properties: JsonObject, pluginData: JsonObject, inventory: JsonObject): JsonObject | null {
  const { root_device: rootDeviceHints, skip_block_devices: skip } = properties;
  const disks = listAt(inventory, 'disks').filter(isObject);
  const unwanted = skipped(skip);
  const left = disks.filter((disk) => !unwanted.some((hints) => fits(disk, hints)));
  if (rootDeviceHints === undefined || rootDeviceHints === null) {
    const own = isObject(pluginData['root_disk']) ? pluginData['root_disk'] : null;
    return own !== null && unwanted.some((hints) => fits(own, hints)) ? null : own;
  }
  const hints = hintsIn(rootDeviceHints, 'root_device');
  const found = left.find((disk) => fits(disk, hints));
  if (!found) throw new HookFailure(`root-device: no disk satisfies the hints ${JSON.stringify(hints)}`);
  return found;
}

/** Whole GiB, one less where room is left for partition tables, and never less than none. */
function gigabytes(disk: JsonObject | null, spacing: boolean): number {
  const size = Math.floor((numberAt(disk, 'size') ?? 0) / GIB);
  return Math.max(0, spacing ? size - 1 : size);
}

/** contract: inspection.md §7, root-device */
export const rootDevice: Hook = {
  after: [],
  main(progress, { inventory, options, properties = {} }) {
    const disk = rootDisk({ ...properties, ...progress.properties }, progress.pluginData, inventory);
    const localGb = gigabytes(disk, options.diskPartitioningSpacing ?? true);
    return {
      ...progress,
      properties: { ...progress.properties, local_gb: localGb },
      pluginData: { ...progress.pluginData, ...(disk ? { root_disk: disk } : {}), local_gb: localGb },
    };
  },
};
