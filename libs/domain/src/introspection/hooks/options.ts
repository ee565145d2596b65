/** Options of the processing that change what is written; defaults are the inspector's own. */
export interface HookOptions {
  /** Which NICs become ports. `pxe` falls back to `active` when the data names no PXE NIC. */
  readonly addPorts: 'pxe' | 'active' | 'all' | 'disabled';
  /** Which existing ports stay. */
  readonly keepPorts: 'all' | 'present' | 'added';
  readonly updatePxeEnabled: boolean;
  /** One GiB is left free for partition tables. */
  readonly diskPartitioningSpacing: boolean;
  /** PCI devices that count as a capability. */
  readonly pciAliases: readonly { readonly vendorId: string; readonly productId: string; readonly name: string }[];
}

export const defaultHookOptions: HookOptions = {
  addPorts: 'pxe',
  keepPorts: 'all',
  updatePxeEnabled: true,
  diskPartitioningSpacing: true,
  pciAliases: [],
};
