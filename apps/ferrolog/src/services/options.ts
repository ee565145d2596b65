import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedfishOptions } from '@lib/adapters/hardware-redfish';
import type { HardwareOptions } from '@lib/adapters/hardware-registry';
import type { HttpPeer } from '@lib/adapters/inspect-inspector';
import { SettingsError } from '@lib/adapters/settings-file';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import type { Settings } from '@lib/contracts';
import type { InspectorSimulatorSettings } from '@app/inspector-simulator';
import { apiAddress, inspectorAddress } from './addresses';

/** Retries of a call to the inspector are part of one peer's word; its giving up comes two seconds later. */
export const peerGiveUpMs = ({ inspector }: Settings): number => inspector.timeout * 1000 * 2 + 4000;

export function hardwareOptions(loaded: LoadedSettings): HardwareOptions {
  const { fake, inspector, conductor, deploy, api } = loaded.settings;
  return {
    inspectDelay: { firstSeconds: fake.inspect_delay.baseS, secondSeconds: fake.inspect_delay.maxS },
    inspectorTimeoutMs: inspector.timeout * 1000,
    inspectorOverHttp: httpPeer(inspector),
    requireManagedBoot: inspector.require_managed_boot,
    ramdisk: {
      apiUrl: api.public_endpoint ?? apiAddress(loaded),
      extraKernelParameters: inspector.extra_kernel_params.split(' ').filter((word) => word !== ''),
      forceDhcp: inspector.force_dhcp,
      fastTrack: deploy.fast_track,
    },
    inspectorEndpoint: inspector.callback_endpoint_override ?? inspector.endpoint_override ?? inspectorAddress(loaded),
    pxe: {
      ...bootRoots(loaded),
      httpUrl: deploy.http_url,
      deployKernel: conductor.deploy_kernel,
      deployRamdisk: conductor.deploy_ramdisk,
    },
    redfish: redfishOptions(loaded.settings),
  };
}

/** A client that waits for an answer is gone after this. */
const QUESTION_MS_MAX = 20_000;

function redfishOptions({ redfish, conductor }: Settings): RedfishOptions {
  const { verify_ca: verify } = redfish;
  return {
    authType: redfish.auth_type,
    verifyCa: verify.startsWith('/') ? verify : verify.toLowerCase() === 'true',
    connectionAttempts: redfish.connection_attempts,
    connectionRetryMs: redfish.connection_retry_interval * 1000,
    serverErrorAttempts: redfish.server_error_attempts,
    serverErrorRetryMs: redfish.server_error_interval * 1000,
    connectTimeoutMs: redfish.connect_timeout * 1000,
    readTimeoutMs: redfish.read_timeout * 1000,
    questionMs: QUESTION_MS_MAX,
    connectionsMax: redfish.connection_cache_size,
    powerChangeMs: conductor.power_state_change_timeout * 1000,
    softPowerOffMs: conductor.soft_power_off_timeout * 1000,
    hooks: redfish.inspection_hooks,
  };
}

function httpPeer(inspector: Settings['inspector']): HttpPeer | null {
  const { endpoint_override: endpoint, cafile, insecure } = inspector;
  if (endpoint === null) return null;
  const ca = cafile === null ? null : certificatesIn('inspector', cafile);
  return { endpoint, credentials: credentialsOf(inspector), ca, verifyCertificate: !insecure };
}

function certificatesIn(section: 'inspector' | 'simulator', path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError([`[${section}] cafile: it cannot be read: ${(error as Error).message}`]);
  }
}

/** That what a kind needs is there is checked with the settings. */
function credentialsOf({ auth_type, username, password, token }: Settings['inspector']): HttpPeer['credentials'] {
  switch (auth_type) {
    case 'none':
      return { kind: 'none' };
    case 'http_basic':
      return { kind: 'http_basic', username: username ?? '', password: password ?? '' };
    case 'admin_token':
      return { kind: 'token', token: token ?? '' };
  }
}

/** Where what ramdisks' agents are to be checked against is kept. */
export const certificatesFolder = ({ settings, runtime }: LoadedSettings): string =>
  settings.agent.certificates_path ?? join(runtime.home, 'certificates');

export const ramdiskLogsFolder = ({ settings, runtime }: LoadedSettings): string =>
  settings.agent.deploy_logs_local_path ?? join(runtime.home, 'ramdisk-logs');

/** Where boot configuration files are written, and read again by simulated machines on the same host. */
function bootRoots({ settings: { pxe, deploy }, runtime: { home } }: LoadedSettings) {
  return {
    tftpRoot: pxe.tftp_root ?? join(home, 'tftpboot'),
    httpRoot: deploy.http_root ?? join(home, 'httpboot'),
  };
}

export function simulatorOptions(loaded: LoadedSettings, apiUrl: string): InspectorSimulatorSettings {
  const { settings, runtime } = loaded;
  const { simulator } = settings;
  return {
    host: settings.api.host_ip,
    port: runtime.ports.inspector,
    apiUrl: simulator.api_endpoint ?? apiUrl,
    prefix: runtime.busPrefix,
    timeoutMs: simulator.timeout * 1000,
    cleanUpPeriodMs: simulator.clean_up_period * 1000,
    introspectionDelayMs: simulator.introspection_delay * 1000,
    canManageBoot: simulator.can_manage_boot,
    powerOff: simulator.power_off,
    storeData: simulator.store_data === 'database',
    permitActive: simulator.permit_active_introspection,
    enrollDriver: simulator.node_not_found_hook === 'enroll' ? simulator.enroll_node_driver : null,
    alwaysKeepLogs: simulator.always_store_ramdisk_logs,
    ramdiskLogsFolder: simulator.ramdisk_logs_dir,
    listMax: simulator.api_max_limit,
    credentials:
      simulator.auth_strategy === 'http_basic'
        ? { username: simulator.username ?? '', password: simulator.password ?? '' }
        : null,
    keystone: keystoneOf(simulator),
    stateFile: simulator.state_file,
    bootFiles: bootRoots(loaded),
    ramdiskPollMs: simulator.ramdisk_poll * 1000,
    fleet: fleetOf(simulator),
  };
}

/** That the address is there is checked with the settings. */
function keystoneOf({ auth_strategy, auth_url, cafile, token_cache_time }: Settings['simulator']) {
  if (auth_strategy !== 'keystone') return null;
  const ca = cafile === null ? null : certificatesIn('simulator', cafile);
  return { authUrl: auth_url ?? '', cacheMs: token_cache_time * 1000, ca };
}

function fleetOf({ fleet_weights: weights, fleet_seed: seed, fleet_after: after }: Settings['simulator']) {
  if (weights === null) return null;
  return { seed, weights, afterMsMin: after.baseS * 1000, afterMsMax: after.maxS * 1000 };
}
