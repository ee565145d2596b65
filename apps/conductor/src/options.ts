import { loadAccelerators, loadBuiltInRules } from '@lib/adapters/rules-file';
import { hooksInForce } from '@lib/contracts';
import type { Settings } from '@lib/contracts';
import { enabledFor, defaultInterface, hardwareTypes, interfaceTypes } from '@lib/domain';
import type { EnabledInterfaces, HardwareTypes, InterfaceType, Policy } from '@lib/domain';
import type { ConductorOptions, EffectLimits, ProjectionOptions } from '@lib/usecases';

/** A peer's own limit is shorter than the give-up deadline by this, so that its outcome comes first. */
const GIVE_UP_MARGIN_MS = 2000;
/** Retries of a call to the inspector are part of one effect (contract: inspector-api.md §5). */
const PEER_CALLS = 2;
/** A synchronous inspection is bounded by its own I/O; this is the last resort. */
const INSPECT_MS_MAX = 30 * 60 * 1000;
const WORK_MS_MAX = 10 * 60 * 1000;

/** A BMC that is out of reach, or busy, is asked again for a while before and after the change. */
const POWER_TROUBLE_MS = 5 * 60 * 1000;

const per = <T>(value: (kind: InterfaceType) => T): Record<InterfaceType, T> =>
  Object.fromEntries(interfaceTypes.map((kind) => [kind, value(kind)])) as Record<InterfaceType, T>;

export function enabledInterfaces({ DEFAULT }: Settings): EnabledInterfaces {
  return {
    enabled: per((kind) => DEFAULT[`enabled_${kind}_interfaces`]),
    defaults: per((kind) => DEFAULT[`default_${kind}_interface`]),
  };
}

const peerMs = ({ inspector }: Settings): number => inspector.timeout * 1000 * PEER_CALLS;

/** Throws a sentence where a file that the settings name is not as it should be. */
export function conductorOptions(settings: Settings, types: HardwareTypes = hardwareTypes): ConductorOptions {
  const { DEFAULT, conductor, inspector, deploy } = settings;
  return {
    host: DEFAULT.host,
    policy: {
      inspectWaitTimeoutSeconds: conductor.inspect_wait_timeout,
      callbackTimeoutSeconds: callbackTimeouts(settings),
      waitTimeouts: conductor.check_provision_state_interval !== 0,
      inspectorPowerOff: inspector.power_off,
      inspectRetry: {
        attempts: inspector.retry_attempts,
        groups: Object.fromEntries(
          inspector.group_retry_attempts.map(([group, n]) => [group.toLowerCase(), Number(n)]),
        ),
        backoffSeconds: inspector.retry_backoff,
        factor: inspector.retry_backoff_factor,
        secondsMax: inspector.retry_backoff_max,
      },
      fastTrack: deploy.fast_track,
      inspectingReturn: conductor.inspecting_return,
      allowDeletingAvailable: conductor.allow_deleting_available_nodes,
      allowProvisioningInMaintenance: conductor.allow_provisioning_in_maintenance,
      recordStepFlows: conductor.record_step_flows_in_history,
      leasesToInstance: conductor.automatic_lessee_source === 'instance',
      automatedClean: conductor.automated_clean,
      peerLimitMs: peerMs(settings) + GIVE_UP_MARGIN_MS,
    },
    hardwareTypes: DEFAULT.enabled_hardware_types,
    knownTypes: types,
    interfaces: enabledInterfaces(settings),
    defaultResourceClass: DEFAULT.default_resource_class,
    defaultConductorGroup: DEFAULT.default_conductor_group,
    portgroupMode: DEFAULT.default_portgroup_mode,
    releaseWaitMs: conductor.node_locked_retry_attempts * conductor.node_locked_retry_interval * 1000,
    concurrency: {
      deploy: conductor.max_concurrent_deploy,
      clean: conductor.max_concurrent_clean,
      perConductorGroup: conductor.max_concurrent_per_conductor_group,
    },
    inspection: inspectionOptions(settings),
  };
}

/** Each state of the table that waits for a callback has its option (contract: config.md). */
const callbackTimeouts = ({ conductor }: Settings): Policy['callbackTimeoutSeconds'] => ({
  'wait call-back': conductor.deploy_callback_timeout,
  'clean wait': conductor.clean_callback_timeout,
  'rescue wait': conductor.rescue_callback_timeout,
  'service wait': conductor.service_callback_timeout,
});

const inspectionOptions = (settings: Settings): ConductorOptions['inspection'] => ({
  hooks: hooksInForce(settings),
  hookOptions: {
    addPorts: settings.inspector.add_ports,
    keepPorts: settings.inspector.keep_ports,
    updatePxeEnabled: settings.inspector.update_pxe_enabled,
    diskPartitioningSpacing: settings.inspector.disk_partitioning_spacing,
    cpuCapabilities: Object.fromEntries(settings.inspector.cpu_capabilities),
    pciAliases: settings.inspector.pci_device_alias.map((one) => ({
      vendorId: one.vendor_id,
      productId: one.product_id,
      name: one.name,
    })),
    physicalNetworks: settings.inspector.physical_network_cidr_map.map(([subnet, network]) => ({ subnet, network })),
    extraHardwareStrict: settings.inspector.extra_hardware_strict,
    accelerators: loadAccelerators(settings.inspector.known_accelerators),
  },
  preCreatePorts: settings.inspector.pre_create_ports,
  discoveryDriver: settings.auto_discovery.enabled ? settings.auto_discovery.driver : null,
  storeData: settings.inventory.data_backend !== 'none',
  collectLogs: settings.agent.deploy_logs_collect,
  builtInRules: loadBuiltInRules(settings.inspection_rules.built_in_rules),
  maskSecrets: settings.inspection_rules.mask_secrets,
});

export const effectLimits = (settings: Settings): EffectLimits => ({
  inspectMs: INSPECT_MS_MAX,
  peerMs: peerMs(settings),
  workMs: WORK_MS_MAX,
  powerMs: Math.max(settings.conductor.power_state_change_timeout, settings.conductor.soft_power_off_timeout) * 1000,
  powerTroubleMs: POWER_TROUBLE_MS,
});

/** Who vouches for servers that inspection rules call. */
export const webserverCa = ({ DEFAULT: { webserver_verify_ca: verify } }: Settings): boolean | string =>
  verify.startsWith('/') ? verify : verify.toLowerCase() === 'true';

const LEASE_MS_MAX = 15_000;

/** Work of a silent conductor changes hands well before that conductor counts as offline. */
export const leaseMs = ({ conductor }: Settings): number =>
  Math.min(LEASE_MS_MAX, (conductor.heartbeat_timeout * 1000) / 4);

export const projectionOptions = ({ DEFAULT, conductor }: Settings): ProjectionOptions => ({
  errorCharsMax: DEFAULT.log_in_db_max_size,
  historyEntriesMax: conductor.node_history ? conductor.node_history_max_entries : 0,
});

/** What this conductor serves, as `/v1/drivers` and the api's checks read it (contract: other-resources.md §7). */
export function capabilities(settings: Settings, known: HardwareTypes = hardwareTypes): Record<string, unknown> {
  const interfaces = enabledInterfaces(settings);
  const types = settings.DEFAULT.enabled_hardware_types.flatMap((name) => known.get(name) ?? []);
  const served = types.map((type) => [
    type.name,
    per((kind) => ({ default: defaultInterface(type, kind, interfaces), enabled: enabledFor(type, kind, interfaces) })),
  ]);
  return {
    interfaces: Object.fromEntries(served),
    properties: Object.fromEntries(types.map(({ name, properties }) => [name, properties])),
  };
}
