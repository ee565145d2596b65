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

/** Facts of [agent] and [api], and the contract's values of options that this release does not have. */
const configOf = ({ agent, api }: Settings): Record<string, unknown> => ({
  metrics: {
    backend: 'noop',
    prepend_host: false,
    prepend_uuid: false,
    prepend_host_reverse: true,
    global_prefix: null,
  },
  metrics_statsd: { statsd_host: 'localhost', statsd_port: 8125 },
  heartbeat_timeout: api.ramdisk_heartbeat_timeout,
  agent_containers: {
    allow_arbitrary_containers: false,
    allowed_containers: [],
    container_steps_file: '/etc/ironic-python-agent.d/mysteps.yaml',
    runner: 'podman',
    pull_options: [],
    run_options: ['--rm', '--network=host'],
  },
  agent_token_required: true,
  agent_md5_checksum_enable: agent.allow_md5_checksum,
  disable_deep_image_inspection: false,
  permitted_image_formats: ['raw', 'gpt', 'qcow2', 'iso'],
  enable_bios_bootloader_install: agent.enable_bios_bootloader_install,
  tls_min_version: agent.tls_minimum_version,
  tls_cipher_suites: agent.tls_ciphers,
});
