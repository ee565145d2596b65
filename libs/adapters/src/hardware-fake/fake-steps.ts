import type { BiosSetting, EffectValue, FirmwareComponent, JsonObject } from '@lib/domain';
import type { Machine, TakeStep } from '@lib/ports';
import { playPiece } from './fake-piece';
import { isObject } from './fake-script';

/** What a step does to a machine that is not there: what is known of it becomes another. Throws why it cannot. */
export type FakeStep = (machine: Machine, args: JsonObject) => EffectValue;

/** Steps by name, as the script plays them; one that is not among them does nothing. */
export const fakeSteps =
  (steps: Readonly<Record<string, FakeStep>>): TakeStep =>
  async (machine, piece, call) => {
    const played = await playPiece(machine, piece, call);
    const { step } = piece;
    if (!step || !Object.hasOwn(steps, step.step)) return played;
    return { ...steps[step.step]?.(machine, step.args ?? {}), ...played };
  };

/** Without a list there is nothing to change. */
const named = (args: JsonObject, step: string, key: string): JsonObject[] => {
  const given: unknown = args['settings'] ?? [];
  const isGood = (one: unknown): one is JsonObject => isObject(one) && typeof one[key] === 'string' && one[key] !== '';
  if (!Array.isArray(given) || !given.every(isGood)) {
    throw new Error(`args/settings of the step ${step} must be a list of objects with a ${key}`);
  }
  return given;
};

const settingsOf = ({ parts }: Machine): BiosSetting[] =>
  (parts?.bios ?? []).map(({ name, value, attributes }) => ({ name, value, ...(attributes ? { attributes } : {}) }));

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** `{"settings": [{"name": ..., "value": ...}]}`: a setting that was not there before is there then. */
export const applyBios: FakeStep = (machine, args) => {
  const known = new Map(settingsOf(machine).map((one) => [one.name, one]));
  for (const { name, value } of named(args, 'bios.apply_configuration', 'name')) {
    const key = String(name);
    const before = known.get(key);
    if (before?.attributes?.['read_only'] === true) throw new Error(`the BIOS setting ${key} can only be read`);
    known.set(key, { ...before, name: key, value: textOf(value ?? null) });
  }
  return { parts: { bios: [...known.values()] } };
};

/** Back to what the machine came with; a setting that says its `default_value` takes that. */
export const resetBios =
  (cameWith: (machine: Machine) => readonly BiosSetting[]): FakeStep =>
  (machine) => ({
    parts: {
      bios: cameWith(machine).map((one) => {
        const factory = one.attributes?.['default_value'];
        return typeof factory === 'string' ? { ...one, value: factory } : one;
      }),
    },
  });

/** The file's own name without its last ending, which is as good a version as any. */
function versionIn({ version, url }: JsonObject): string {
  if (typeof version === 'string' && version !== '') return version;
  const file = typeof url === 'string' ? (/([^/?#]+)(?:[?#].*)?$/.exec(url)?.[1] ?? '') : '';
  const name = file.replace(/\.[A-Za-z][A-Za-z0-9]*$/, '');
  if (name === '') throw new Error('args/settings of the step firmware.update must name a url or a version');
  return name;
}

/** `{"settings": [{"component": "bmc", "url": ".../bmc-2.0.bin"}]}` of components that the machine has. */
export const updateFirmware: FakeStep = ({ parts }, args) => {
  const components = parts?.firmware ?? [];
  const wanted = named(args, 'firmware.update', 'component');
  const versions = new Map(wanted.map((one) => [String(one['component']), versionIn(one)]));
  const strange = [...versions.keys()].find((name) => !components.some(({ component }) => component === name));
  if (strange !== undefined) throw new Error(`the machine has no firmware component ${strange}`);
  const firmware = components.map(
    ({ component, current_version, vendor, model, serial_number }): FirmwareComponent => ({
      component,
      current_version: versions.get(component) ?? current_version,
      ...(vendor === undefined ? {} : { vendor }),
      ...(model === undefined ? {} : { model }),
      ...(serial_number === undefined ? {} : { serial_number }),
    }),
  );
  return { parts: { firmware } };
};

const disksOf = (config: JsonObject | undefined): JsonObject[] => {
  const disks: unknown = config?.['logical_disks'];
  return Array.isArray(disks) ? disks.filter(isObject) : [];
};

/** A name that no other disk has; the driver chooses where the wish leaves it open. */
function withNames(disks: readonly JsonObject[]): JsonObject[] {
  const taken = new Set(disks.map((disk) => disk['volume_name']));
  let n = 0;
  const free = (): string => {
    do n += 1;
    while (taken.has(`volume-${n}`));
    return `volume-${n}`;
  };
  return disks.map((disk) => (disk['volume_name'] === undefined ? { ...disk, volume_name: free() } : disk));
}

/**
 * The wanted disks come to be, beside those that there are with `delete_existing` false; `create_root_volume` and
 * `create_nonroot_volumes` false leave some of them out.
 */
export const createRaid: FakeStep = ({ managed }, args) => {
  const wanted = disksOf(managed.targetRaidConfig);
  if (wanted.length === 0) throw new Error('the node has no target_raid_config');
  const chosen = wanted.filter((disk) => {
    const by = disk['is_root_volume'] === true ? 'create_root_volume' : 'create_nonroot_volumes';
    return args[by] !== false;
  });
  if (chosen.length === 0) throw new Error('nothing is left of target_raid_config to be created');
  const kept = args['delete_existing'] === false ? disksOf(managed.raidConfig) : [];
  return { raidConfig: { logical_disks: withNames([...kept, ...chosen]) } };
};

export const deleteRaid: FakeStep = () => ({ raidConfig: {} });
