import type { HardwareOptions } from '@lib/adapters/hardware-registry';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import type { Settings } from '@lib/contracts';
import type { InspectorSimulatorSettings } from '@app/inspector-simulator';

/** Retries of a call to the inspector are part of one peer's word; its giving up comes two seconds later. */
export const peerGiveUpMs = ({ inspector }: Settings): number => inspector.timeout * 1000 * 2 + 4000;

export function hardwareOptions({ fake, inspector }: Settings): HardwareOptions {
  return {
    inspectDelay: { firstSeconds: fake.inspect_delay.baseS, secondSeconds: fake.inspect_delay.maxS },
    inspectorTimeoutMs: inspector.timeout * 1000,
    requireManagedBoot: inspector.require_managed_boot,
  };
}

export function simulatorOptions({ settings, runtime }: LoadedSettings, apiUrl: string): InspectorSimulatorSettings {
  const { simulator } = settings;
  return {
    host: settings.api.host_ip,
    port: runtime.ports.inspector,
    apiUrl,
    prefix: runtime.busPrefix,
    timeoutMs: simulator.timeout * 1000,
    cleanUpPeriodMs: simulator.clean_up_period * 1000,
    canManageBoot: simulator.can_manage_boot,
    powerOff: simulator.power_off,
    storeData: simulator.store_data === 'database',
    ramdiskPollMs: simulator.ramdisk_poll * 1000,
    fleet: fleetOf(simulator),
  };
}

function fleetOf({ fleet_weights: weights, fleet_seed: seed, fleet_after: after }: Settings['simulator']) {
  if (weights === null) return null;
  return { seed, weights, afterMsMin: after.baseS * 1000, afterMsMax: after.maxS * 1000 };
}
