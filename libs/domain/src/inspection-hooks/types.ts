import type { JsonObject } from '../node/fields';

/** `[inspector]` options that change what the hooks do. */
export interface HookOptions {
  /** Which NICs become ports. */
  readonly addPorts: 'pxe' | 'active' | 'all' | 'disabled';
  /** Which ports of the node stay. */
  readonly keepPorts: 'all' | 'present' | 'added';
  readonly updatePxeEnabled: boolean;
  /** One GiB of the root disk is left out of `local_gb`; so it is unless given. */
  readonly diskPartitioningSpacing?: boolean;
  /** CPU flag -> capability; those of `defaultCpuCapabilities` unless given. */
  readonly cpuCapabilities?: Readonly<Record<string, string>>;
  /** PCI devices that are counted as capabilities; none unless given. */
  readonly pciAliases?: readonly PciAlias[];
  /** Networks by their subnets, the first that fits; none unless given. */
  readonly physicalNetworks?: readonly PhysicalNetwork[];
  /** Records of extra hardware that are no such stop the conversion; else they are left out. */
  readonly extraHardwareStrict?: boolean;
  /** Those of `knownAccelerators` unless given. */
  readonly accelerators?: readonly Accelerator[];
}

export interface PciAlias {
  readonly vendorId: string;
  readonly productId: string;
  readonly name: string;
}

export interface PhysicalNetwork {
  readonly subnet: string;
  readonly network: string;
}

export interface Accelerator {
  readonly vendorId: string;
  readonly deviceId: string;
  /** As it is shown: `GPU`. */
  readonly type: string;
  /** The maker and model. */
  readonly info: string;
}

/** What a hook found out about the port of a NIC. */
export interface PortFacts {
  /** Keys of `local_link_connection`; those that the port has already stay. */
  readonly localLink?: JsonObject;
  readonly physicalNetwork?: string;
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
  /** By the MAC in lower case. */
  readonly facts: ReadonlyMap<string, PortFacts>;
  readonly warnings: readonly string[];
}

export interface HookInput {
  readonly inventory: JsonObject;
  /** The node's, as they were before; none unless given. */
  readonly properties?: JsonObject;
  /** The inventory of the inspection before; none unless given. */
  readonly previous?: JsonObject | null;
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
