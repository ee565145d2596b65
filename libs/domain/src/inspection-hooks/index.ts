/** Hooks that make ports and properties of what a ramdisk posted (contract: inspection.md §7). */
export * from './hooks';
export * from './interfaces';
export * from './ports';
export * from './types';
