import type { JsonObject } from '../node/fields';

/** `[inspector]` options that change what the hooks do. */
export interface HookOptions {
  /** Which NICs become ports. */
  readonly addPorts: 'pxe' | 'active' | 'all' | 'disabled';
  /** Which ports of the node stay. */
  readonly keepPorts: 'all' | 'present' | 'added';
  readonly updatePxeEnabled: boolean;
}

/** One NIC, as received and with what the hooks found out. Keys of the wire. */
export type Nic = JsonObject & {
  readonly name: string;
  /** In the spelling received. */
  readonly mac_address: string;
  readonly pxe_enabled: boolean;
};

export interface NicSets {
  readonly all: readonly Nic[];
  /** Those that `add_ports` wants. */
  readonly valid: readonly Nic[];
  /** Lower case; null when the data names none. */
  readonly pxeMac: string | null;
}

/** What goes from hook to hook. The inventory is never changed. */
export interface Progress {
  readonly pluginData: JsonObject;
  readonly properties: JsonObject;
  /** Set by validate-interfaces, which the hooks that need it come after. */
  readonly nics: NicSets | null;
  /** Set by the hook `ports`: the ports are to be brought in line. */
  readonly wantsPorts: boolean;
  readonly warnings: readonly string[];
}

export interface HookInput {
  readonly inventory: JsonObject;
  readonly options: HookOptions;
}

/** A hook has said no; the text is the reason. */
export class HookFailure extends Error {}

export interface Hook {
  /** Hooks that must be enabled before this one. */
  readonly after: readonly string[];
  /** First pass; failures of all hooks are gathered. */
  readonly preprocess?: (progress: Progress, input: HookInput) => Progress;
  /** Second pass; the first failure ends it. */
  readonly main?: (progress: Progress, input: HookInput) => Progress;
}
