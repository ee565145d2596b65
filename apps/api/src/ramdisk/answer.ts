import type { RamdiskAnswer } from '@lib/contracts';
import type { Settings } from '@lib/contracts/settings';
import { MASK, maskSecrets } from '@lib/domain';
import type { Call } from '../http';
import { linkPair } from '../render';

/** Managements whose BMC the conductor reaches by itself, so that the ramdisk need not look for it. */
const knowsItsBmc: ReadonlySet<string> = new Set(['redfish', 'idrac-redfish']);

/**
 * What a ramdisk is told (contract: other-resources.md §3). `token` is the fresh one, null for clients that get none: then
 * nothing is said of a token at all.
 */
export function ramdiskBody(answer: RamdiskAnswer, token: string | null, call: Call): Record<string, unknown> {
  const { uuid, properties } = answer;
  const shownToken = token === null ? null : answer.issued ? token : MASK;
  return {
    node: {
      uuid,
      properties,
      instance_info: maskSecrets('instance_info', answer.instance_info),
      driver_internal_info: maskSecrets('driver_internal_info', answer.driver_internal_info),
      links: linkPair(call.publicUrl, `nodes/${uuid}`),
    },
    config: {
      ...configOf(call.services.settings),
      agent_token: shownToken,
      agent_skip_bmc_detect: knowsItsBmc.has(answer.management_interface),
    },
  };
}

const configOf = (settings: Settings): Record<string, unknown> => {
  const { agent, api, conductor } = settings;
  return {
    ...metricsOf(settings),
    heartbeat_timeout: api.ramdisk_heartbeat_timeout,
    agent_containers: settings.agent_containers,
    agent_token_required: true,
    agent_md5_checksum_enable: agent.allow_md5_checksum,
    disable_deep_image_inspection: conductor.disable_deep_image_inspection,
    permitted_image_formats: conductor.permitted_image_formats,
    enable_bios_bootloader_install: agent.enable_bios_bootloader_install,
    tls_min_version: agent.tls_minimum_version,
    tls_cipher_suites: agent.tls_ciphers,
  };
};

const metricsOf = ({ metrics, metrics_statsd: statsd }: Settings) => ({
  metrics: {
    backend: metrics.agent_backend,
    prepend_host: metrics.agent_prepend_host,
    prepend_uuid: metrics.agent_prepend_uuid,
    prepend_host_reverse: metrics.agent_prepend_host_reverse,
    global_prefix: metrics.agent_global_prefix,
  },
  metrics_statsd: { statsd_host: statsd.agent_statsd_host, statsd_port: statsd.agent_statsd_port },
});
