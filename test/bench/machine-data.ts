import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { macOf, ramdiskReport, REPOSITORY } from '../stack';

/** How a simulated machine behaves during its inspection. */
export type MachineScript = 'succeed' | 'never' | 'late' | 'twice' | 'error' | 'aborted';

/** 5 % of each of the odd ones, spread evenly. */
const scripts: ReadonlyMap<number, MachineScript> = new Map([
  [3, 'never'],
  [7, 'late'],
  [11, 'twice'],
  [15, 'error'],
  [19, 'aborted'],
]);

export const scriptOf = (index: number): MachineScript => scripts.get(index % 20) ?? 'succeed';

interface Part {
  readonly [field: string]: unknown;
}

/** What a ramdisk posts (contract: ramdisk.md §3), as far as it differs from machine to machine here. */
export interface MachineData extends Part {
  readonly inventory: {
    readonly hostname: string;
    readonly interfaces: readonly (Part & { readonly mac_address: string })[];
    readonly disks: readonly Part[];
    readonly system_vendor: Part;
    readonly boot: Part;
  } & Part;
}

export interface MachineOrder {
  readonly seed: number;
  /** Below 100,000, of its own for each machine of a run. */
  readonly number: number;
  /** Length of the body that is posted, at least. */
  readonly bytes: number;
}

const LARGE = join(REPOSITORY, 'test', 'contract-data', 'examples', 'inventory-large.json');
const SMALL_BYTES = 4_000;
/** More than any of the models has. */
const NICS = 64;
const FIRST_MAC = 4_000_000;

const read: { large?: MachineData } = {};
const small = ramdiskReport('52:54:00:00:00:00') as MachineData;

function modelFor(bytes: number): MachineData {
  if (bytes < SMALL_BYTES) return small;
  read.large ??= JSON.parse(readFileSync(LARGE, 'utf8')) as MachineData;
  return read.large;
}

export const bootMacOf = (number: number): string => macOf(FIRST_MAC + number * NICS);

/** A stream of numbers of 32 bits of its own for each seed (xorshift). */
function numbers(seed: number): () => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state;
  };
}

/** The data of one machine: addresses, serial numbers and disks of its own, the same for the same seed. */
export function machineData({ seed, number, bytes }: MachineOrder): MachineData {
  const model = modelFor(bytes);
  const next = numbers(seed * 100_003 + number);
  const serial = (): string => next().toString(36).toUpperCase().padStart(7, '0');
  const disk = (like: Part, index: number): Part => ({
    ...like,
    name: `/dev/disk${index}`,
    serial: serial(),
    wwn: `0x5000${serial()}`,
  });
  const mac = bootMacOf(number);
  const { inventory } = model;
  const disks = inventory.disks.map(disk);
  const data = {
    ...model,
    boot_interface: mac,
    inventory: {
      ...inventory,
      hostname: `machine-${number}`,
      interfaces: inventory.interfaces.map((nic, index) => ({
        ...nic,
        mac_address: macOf(FIRST_MAC + number * NICS + index),
      })),
      disks,
      boot: { ...inventory.boot, pxe_interface: mac },
      system_vendor: { ...inventory.system_vendor, serial_number: serial() },
    },
  };
  let missing = bytes - JSON.stringify(data).length;
  while (missing > 0) {
    const more = disk(inventory.disks[disks.length % inventory.disks.length] ?? {}, disks.length);
    missing -= JSON.stringify(more).length + 1;
    disks.push(more);
  }
  return data;
}
