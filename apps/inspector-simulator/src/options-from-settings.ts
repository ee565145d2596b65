import type { Settings } from '@lib/contracts';
import type { InspectorOptions } from '@lib/usecases/simulated-inspector';

/** Section [simulator] of the settings as the simulator's options. */
export const inspectorOptionsFrom = ({ simulator }: Pick<Settings, 'simulator'>): Partial<InspectorOptions> => ({
  timeoutMs: simulator.timeout * 1000,
  cleanUpPeriodMs: simulator.clean_up_period * 1000,
  introspectionDelayMs: simulator.introspection_delay * 1000,
  canManageBoot: simulator.can_manage_boot,
  powerOff: simulator.power_off,
  storeData: simulator.store_data === 'database',
  permitActive: simulator.permit_active_introspection,
  enrollDriver: simulator.node_not_found_hook === 'enroll' ? simulator.enroll_node_driver : null,
  alwaysKeepLogs: simulator.always_store_ramdisk_logs,
  listMax: simulator.api_max_limit,
  fleet: simulator.fleet_weights && {
    seed: simulator.fleet_seed,
    weights: simulator.fleet_weights,
    afterMsMin: simulator.fleet_after.baseS * 1000,
    afterMsMax: simulator.fleet_after.maxS * 1000,
  },
});
