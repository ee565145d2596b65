/**
 * The wanted RAID configuration of a node: its keys are what `logical_disk_properties` of a driver tells, and nothing else
 * (contract: node-api.md §12; other-resources.md §7).
 */
type Check = (value: unknown) => string | null;

interface DiskProperty {
  /** For people. */
  readonly text: string;
  readonly required?: true;
  readonly check: Check;
}

const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value) ? null : `must be one of ${words.join(', ')}`;
const text: Check = (value) => (typeof value === 'string' && value !== '' ? null : 'must be a text');
const flag: Check = (value) => (typeof value === 'boolean' ? null : 'must be a boolean');
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const count: Check = (value) => (isCount(value) ? null : 'must be a positive integer');
const size: Check = (value) => (isCount(value) || value === 'MAX' ? null : 'must be a positive integer or MAX');
const list: Check = (value) => (Array.isArray(value) && value.length > 0 ? null : 'must be a list that is not empty');

const properties: Readonly<Record<string, DiskProperty>> = {
  raid_level: {
    text: 'Required. RAID level of the logical disk: JBOD, 0, 1, 2, 5, 6, 1+0, 5+0 or 6+0.',
    required: true,
    check: oneOf('JBOD', '0', '1', '2', '5', '6', '1+0', '5+0', '6+0'),
  },
  size_gb: {
    text: 'Required. Size in GiB as an integer, or MAX for all the space that is left.',
    required: true,
    check: size,
  },
  volume_name: { text: 'Name of the volume. Chosen by the driver when it is not given.', check: text },
  is_root_volume: { text: 'True for the volume that the system is deployed to. At most one may be.', check: flag },
  share_physical_disks: {
    text: 'True when the disk may share its physical disks with other logical disks. Default: false.',
    check: flag,
  },
  disk_type: { text: 'Kind of physical disks to use: hdd or ssd.', check: oneOf('hdd', 'ssd') },
  interface_type: {
    text: 'Interface of the physical disks to use: sata, scsi or sas.',
    check: oneOf('sata', 'scsi', 'sas'),
  },
  number_of_physical_disks: {
    text: 'How many physical disks to use. Default: as few as the RAID level needs.',
    check: count,
  },
  controller: { text: 'Name of the RAID controller, as the driver calls it.', check: text },
  physical_disks: { text: 'Physical disks to use, as the driver calls them.', check: list },
};

/** What a logical disk may say, by name. */
export const logicalDiskProperties: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(properties).map(([name, property]) => [name, property.text]),
);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with a wanted configuration, null when it can be stored. `{}` asks for none. */
export function raidConfigProblem(config: Readonly<Record<string, unknown>>): string | null {
  const unknown = Object.keys(config).find((key) => key !== 'logical_disks');
  if (unknown !== undefined) return `unknown property ${unknown}`;
  if (!Object.hasOwn(config, 'logical_disks')) return null;
  const disks: unknown = config['logical_disks'];
  if (!Array.isArray(disks) || disks.length === 0) return 'logical_disks must be a list that is not empty';
  const problem = disks.map(diskProblem).find((one) => one !== null);
  if (problem !== undefined) return problem;
  const roots = disks.filter((disk) => isObject(disk) && disk['is_root_volume'] === true);
  return roots.length > 1 ? 'at most one logical disk may have is_root_volume' : null;
}

function diskProblem(disk: unknown, index: number): string | null {
  const where = `logical_disks[${index}]`;
  if (!isObject(disk)) return `${where} must be an object`;
  const missing = Object.keys(properties).find((name) => properties[name]?.required && !Object.hasOwn(disk, name));
  if (missing !== undefined) return `${where} lacks ${missing}`;
  for (const [name, value] of Object.entries(disk)) {
    if (!Object.hasOwn(properties, name)) return `${where} has the unknown property ${name}`;
    const problem = properties[name]?.check(value) ?? null;
    if (problem !== null) return `${name} of ${where} ${problem}`;
  }
  return null;
}
