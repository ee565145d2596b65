import type { HookOptions } from '@lib/domain';

/** `[inspector]` and `[inventory]` as far as they shape what becomes of a ramdisk's data. */
export interface InspectionOptions {
  /** Names of the hooks, in their order. */
  readonly hooks: readonly string[];
  readonly hookOptions: HookOptions;
  /** `[inventory] data_backend` is not `none`. */
  readonly storeData: boolean;
}
