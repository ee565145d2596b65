/** Hooks that make ports and properties of what a ramdisk posted (contract: inspection.md §7). */
export { acceleratorsIn, knownAccelerators } from './accelerators';
export { defaultCpuCapabilities } from './capability-hooks';
export { missingEssentials } from './essentials';
export * from './hooks';
export * from './interfaces';
export { isNetwork } from './physical-network';
export * from './ports';
export * from './types';
export * from './wishes';
