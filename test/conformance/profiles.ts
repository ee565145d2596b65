import { mergeSettings, type Service, type Settings } from '../stack';

/** What the recorded servers were set to; each scenario names one. */
export interface Profile {
  readonly settings: Settings;
  readonly services?: readonly Service[];
}

const base: Settings = {
  DEFAULT: {
    host: 'localhost',
    auth_strategy: 'noauth',
    enabled_hardware_types: 'fake-hardware, manual-management, redfish',
    enabled_bios_interfaces: 'fake, no-bios, redfish',
    enabled_boot_interfaces: 'fake, ipxe, redfish-virtual-media',
    enabled_console_interfaces: 'fake, no-console',
    enabled_deploy_interfaces: 'fake, direct, ramdisk',
    enabled_firmware_interfaces: 'fake, no-firmware',
    enabled_inspect_interfaces: 'fake, inspector, no-inspect, redfish',
    enabled_management_interfaces: 'fake, noop, redfish',
    enabled_network_interfaces: 'noop',
    enabled_power_interfaces: 'fake, redfish',
    enabled_raid_interfaces: 'fake, no-raid, redfish',
    enabled_rescue_interfaces: 'fake, no-rescue',
    enabled_storage_interfaces: 'fake, noop',
    enabled_vendor_interfaces: 'fake, no-vendor, redfish',
  },
  conductor: { inspect_wait_timeout: '1800', check_provision_state_interval: '60', automated_clean: 'false' },
  // The fake boot interface cannot boot a ramdisk: the inspector manages boot and power.
  inspector: { status_check_period: '1', require_managed_boot: 'false' },
};

const short: Settings = { conductor: { inspect_wait_timeout: '4', check_provision_state_interval: '1' } };

const master: Settings = {
  DEFAULT: {
    enabled_hardware_types: 'fake-hardware, manual-management',
    enabled_inspect_interfaces: 'fake, agent, no-inspect',
  },
};

export const PROFILES: Readonly<Record<string, Profile>> = {
  default: { settings: base },
  'short-timeout': { settings: mergeSettings(base, short) },
  'slow-fake': { settings: mergeSettings(base, { fake: { inspect_delay: '6' } }) },
  'slow-status': { settings: mergeSettings(base, { inspector: { status_check_period: '86400' } }) },
  'no-inspector': { settings: base, services: ['conductor', 'scheduler', 'api'] },
  master: { settings: mergeSettings(base, master) },
  'master-short-timeout': { settings: mergeSettings(base, short, master) },
};
