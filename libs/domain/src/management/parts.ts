/** What a machine tells of its firmware: settings and components (contract: node-api.md §17). */
export interface BiosSetting {
  readonly name: string;
  readonly value: string | null;
  /** What its registry says of it, by the contract's names; absent where there is none. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export interface FirmwareComponent {
  readonly component: string;
  readonly current_version: string | null;
  readonly vendor?: string | null;
  readonly model?: string | null;
  readonly serial_number?: string | null;
}

/** As a machine told it; what is absent was not asked for, or not told. */
export interface ToldParts {
  readonly bios?: readonly BiosSetting[];
  readonly firmware?: readonly FirmwareComponent[];
}

interface Seen {
  /** Epoch ms. */
  readonly createdAt: number;
  /** Of the last telling that differed from the one before. */
  readonly updatedAt: number | null;
}

export type SeenSetting = BiosSetting & Seen;

export interface SeenComponent extends FirmwareComponent, Seen {
  /** When it was seen first. */
  readonly initial_version: string | null;
  /** The version that replaced another one last. */
  readonly last_version_flashed: string | null;
}

export interface Parts {
  readonly bios: readonly SeenSetting[];
  readonly firmware: readonly SeenComponent[];
}

export const noParts: Parts = { bios: [], firmware: [] };

/** What is known after a machine told of its parts: what it no longer tells of is gone. */
export function partsAfter(before: Parts, told: ToldParts, at: number): Parts {
  return {
    bios: told.bios?.map((setting) => seenSetting(before, setting, at)) ?? before.bios,
    firmware: told.firmware?.map((component) => seenComponent(before, component, at)) ?? before.firmware,
  };
}

function seenSetting({ bios }: Parts, setting: BiosSetting, at: number): SeenSetting {
  const known = bios.find(({ name }) => name === setting.name);
  if (!known) return { ...setting, createdAt: at, updatedAt: null };
  return { ...setting, createdAt: known.createdAt, updatedAt: known.value === setting.value ? known.updatedAt : at };
}

function seenComponent({ firmware }: Parts, told: FirmwareComponent, at: number): SeenComponent {
  const known = firmware.find(({ component }) => component === told.component);
  const version = told.current_version;
  if (!known) return { ...told, initial_version: version, last_version_flashed: null, createdAt: at, updatedAt: null };
  const { initial_version, last_version_flashed, createdAt, updatedAt, current_version } = known;
  return current_version === version
    ? { ...told, initial_version, last_version_flashed, createdAt, updatedAt }
    : { ...told, initial_version, last_version_flashed: version, createdAt, updatedAt: at };
}
