import type { HookOptions, InspectionRule, MaskSecrets } from '@lib/domain';

/** `[inspector]`, `[inventory]` and `[inspection_rules]` as far as they shape what becomes of a ramdisk's data. */
export interface InspectionOptions {
  /** Names of the hooks, in their order. */
  readonly hooks: readonly string[];
  readonly hookOptions: HookOptions;
  /** `[inspector] pre_create_ports`. */
  readonly preCreatePorts: boolean;
  /** `[inventory] data_backend` is not `none`. */
  readonly storeData: boolean;
  /** `[auto_discovery]`: the driver of machines that nobody knows and that post their data; null: those are refused. */
  readonly discoveryDriver: string | null;
  /** `[agent] deploy_logs_collect`. */
  readonly collectLogs: 'on_failure' | 'always' | 'never';
  /** Rules of the settings, carried out beside those of the API. */
  readonly builtInRules: readonly InspectionRule[];
  readonly maskSecrets: MaskSecrets;
}
