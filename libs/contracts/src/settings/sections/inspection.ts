import {
  RETRY_ATTEMPTS_MAX,
  RETRY_SECONDS_MAX,
  defaultCpuCapabilities,
  defaultHooks,
  hookNames,
  isNetwork,
} from '@lib/domain';
import { boolean, booleanOrUnset, float, integer, textOrUnset } from '../scalars';
import type { TextRule } from '../scalars';
import { objectsOf, pairsOf } from '../structured';
import { choice, delay, wordsOf } from '../words';
import { bootDeployOptions, bootInspectorOptions, folderRule, ownFolder } from './boot';
import { inspectorPeerOptions } from './inspector-peer';
import { hardwareTypeRule } from './names';

/** Stands in `hooks` for what `default_hooks` lists. */
export const DEFAULT_HOOKS = '$default_hooks';

const fileRule: TextRule = {
  accepts: 'an absolute path',
  check: (value) => (value.startsWith('/') ? undefined : `"${value}" is no absolute path`),
};

const retriesAreOurs = {
  ironic: null,
  why: 'Ironic leaves it to the operator to begin an inspection that failed anew',
};

/** In-band inspection. contract: config.md [inspector], inspection.md §4, §9.5, inspector-api.md §7 */
export const inspectorSection = {
  status_check_period: float({
    default: 60,
    min: -1,
    max: 86400,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Time between two looks at the inspector for nodes in `inspect wait`. 0 or less: never.',
  }),
  retry_attempts: integer({
    default: 0,
    min: 0,
    max: RETRY_ATTEMPTS_MAX,
    readBy: ['conductor'],
    meaning:
      'How often an inspection that failed or timed out begins anew by itself. 0: never. `driver_info/inspect_retry_attempts` of a node counts before this.',
    difference: retriesAreOurs,
  }),
  group_retry_attempts: pairsOf({
    accepts: '`group:number`, separated by commas',
    default: [],
    problemOf: ([group, number]) =>
      /^\d+$/.test(number) && Number(number) <= RETRY_ATTEMPTS_MAX
        ? undefined
        : `"${group}:${number}" has no number from 0 to ${RETRY_ATTEMPTS_MAX}`,
    readBy: ['conductor'],
    meaning: 'The same for the nodes of a conductor group.',
    difference: retriesAreOurs,
  }),
  retry_backoff: float({
    default: 60,
    min: 0,
    max: RETRY_SECONDS_MAX,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Time before the first retry. `driver_info/inspect_retry_backoff` of a node counts before this.',
    difference: retriesAreOurs,
  }),
  retry_backoff_factor: float({
    default: 2,
    min: 1,
    max: 10,
    readBy: ['conductor'],
    meaning: 'By how much the time before each further retry grows.',
    difference: retriesAreOurs,
  }),
  retry_backoff_max: float({
    default: 3600,
    min: 0,
    max: RETRY_SECONDS_MAX,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Beyond this it does not grow.',
    difference: retriesAreOurs,
  }),
  power_off: boolean({
    default: true,
    readBy: ['conductor'],
    meaning:
      'Power a node off when its inspection ends or times out; one with disable_power_off is rebooted instead. Not with fast track.',
  }),
  require_managed_boot: booleanOrUnset({
    readBy: ['conductor'],
    meaning:
      'Refuse inspection unless the boot interface can boot the ramdisk itself; otherwise something outside may. Unset: false for the interface `inspector`, true for `agent`.',
    difference: {
      ironic: 'true',
      why: 'the last Ironic with the interface `inspector` had it so, and an inspector that boots machines itself needs it',
    },
  }),
  default_hooks: wordsOf({
    noun: 'hook',
    known: hookNames,
    default: defaultHooks,
    readBy: ['conductor'],
    meaning: 'What `$default_hooks` in the next option stands for.',
  }),
  hooks: wordsOf({
    noun: 'hook',
    known: [DEFAULT_HOOKS, ...hookNames],
    default: [DEFAULT_HOOKS],
    readBy: ['conductor'],
    meaning: 'Hooks that process the data of a ramdisk, in this order, for nodes with the interface `agent`.',
  }),
  add_ports: choice({
    of: ['pxe', 'active', 'all', 'disabled'],
    default: 'pxe',
    readBy: ['conductor'],
    meaning:
      'Which reported NICs become ports: the one that was booted from (all, when the data names none), those with an address, all, or none.',
  }),
  keep_ports: choice({
    of: ['all', 'present', 'added'],
    default: 'all',
    readBy: ['conductor'],
    meaning: 'Which ports of the node stay: all, those whose NIC was reported, or those that add_ports wants.',
  }),
  pre_create_ports: boolean({
    default: true,
    readBy: ['conductor'],
    meaning:
      'Make ports of the NICs that the BMC lists when an inspection by ramdisk starts. For hardware whose management interface can tell them (`redfish`).',
  }),
  update_pxe_enabled: boolean({
    default: true,
    readBy: ['conductor'],
    meaning: 'Set pxe_enabled of all ports of the node by whether it booted from them.',
  }),
  disk_partitioning_spacing: boolean({
    default: true,
    readBy: ['conductor'],
    meaning: 'With the hook `root-device`: leave one GiB of the disk out of `local_gb`, for partition tables.',
  }),
  cpu_capabilities: pairsOf({
    accepts: '`flag:capability`, separated by commas',
    default: Object.entries(defaultCpuCapabilities),
    readBy: ['conductor'],
    meaning: 'With the hook `cpu-capabilities`: which flag of a CPU sets which capability to `true`.',
    difference: {
      ironic:
        '{"vmx": "cpu_vt", "svm": "cpu_vt", "aes": "cpu_aes", "pse": "cpu_hugepages", "pdpe1gb": "cpu_hugepages_1g", "smx": "cpu_txt"}',
      why: 'the same map, in the spelling of a settings file',
    },
  }),
  pci_device_alias: objectsOf({
    keys: ['vendor_id', 'product_id', 'name'],
    readBy: ['conductor'],
    meaning:
      'With the hook `pci-devices`: PCI devices that are counted in a capability. In the file all of them in one JSON list.',
  }),
  physical_network_cidr_map: pairsOf({
    accepts: '`subnet:network`, separated by commas',
    default: [],
    problemOf: ([subnet]) => (isNetwork(subnet) ? undefined : `"${subnet}" is no subnet (192.0.2.0/24)`),
    readBy: ['conductor'],
    meaning:
      'With the hook `physical-network`: the physical network of a port by the address of its NIC, IPv4 first; the first subnet that fits.',
  }),
  extra_hardware_strict: boolean({
    default: false,
    readBy: ['conductor'],
    meaning:
      'With the hook `extra-hardware`: keep the data as it came when a record of it is malformed, instead of leaving that record out.',
  }),
  known_accelerators: textOrUnset({
    ...fileRule,
    readBy: ['conductor'],
    meaning:
      'With the hook `accelerators`: YAML (or JSON) file with the devices that are accelerators, `pci_devices` with `vendor_id`, `device_id`, `type` and `device_info` each. Unset: a short list of GPUs.',
    difference: { ironic: 'bundled file', why: 'the list that ships is part of the program' },
  }),
  ...bootInspectorOptions,
  ...inspectorPeerOptions,
};

export const inventorySection = {
  data_backend: choice({
    of: ['database', 'none'],
    default: 'database',
    refuse: { swift: 'swift is not served by this release; set database or none' },
    readBy: ['conductor'],
    meaning: 'Where inspection data is kept.',
  }),
};

/** contract: config.md [auto_discovery] */
export const autoDiscoverySection = {
  enabled: boolean({
    default: false,
    readBy: ['conductor'],
    meaning: 'Machines that no node has a port of become nodes in `enroll` when their ramdisk posts inspection data.',
  }),
  driver: textOrUnset({
    ...hardwareTypeRule,
    readBy: ['conductor'],
    meaning: 'The hardware type of such nodes, one of `enabled_hardware_types`; needed for them.',
  }),
};

/** contract: config.md [inspection_rules] */
export const inspectionRulesSection = {
  built_in_rules: textOrUnset({
    ...fileRule,
    readBy: ['conductor'],
    meaning:
      'YAML (or JSON) file with a list of inspection rules that are carried out beside those of the API and not shown by it. Their priorities may be any whole numbers. Read at the start.',
  }),
  mask_secrets: choice({
    of: ['always', 'never', 'sensitive'],
    default: 'always',
    readBy: ['conductor'],
    meaning:
      'Whether inspection rules see `***` for the values of `password`, `auth_token` and `bmc_password` in the data of a machine; `sensitive`: unless the rule is sensitive.',
  }),
};

/** Facts about the agent that ramdisks are handed, and what is asked of it. contract: config.md [agent] */
export const agentSection = {
  require_tls: boolean({
    default: true,
    readBy: ['api'],
    meaning: 'Heartbeats whose callback_url is not https are refused.',
  }),
  certificates_path: textOrUnset({
    ...folderRule,
    readBy: ['conductor'],
    meaning:
      'Folder for the certificates that agents bring along with a heartbeat (`agent_verify_ca`), a file for each node. Unset: `certificates` in the state folder.',
    difference: ownFolder('/var/lib/ironic/certificates'),
  }),
  deploy_logs_collect: choice({
    of: ['on_failure', 'always', 'never'],
    default: 'on_failure',
    readBy: ['conductor'],
    meaning:
      'When the logs that a ramdisk sends with its data are kept: of data whose hooks or rules fail, always, or never. With `inspector` they go on to the inspector, which keeps them as it likes.',
  }),
  deploy_logs_local_path: textOrUnset({
    ...folderRule,
    readBy: ['conductor'],
    meaning:
      'Folder for the logs of ramdisks: `<node>_<time>.tar.gz`, named in the error of the inspection. Nothing is ever removed from it. Unset: `ramdisk-logs` in the state folder.',
    difference: ownFolder('/var/log/ironic/deploy'),
  }),
  allow_md5_checksum: boolean({
    default: true,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: MD5 checksums of images are acceptable.',
  }),
  enable_bios_bootloader_install: boolean({
    default: false,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: it may install a boot loader for BIOS.',
  }),
  tls_minimum_version: choice({
    of: ['1.2', '1.3'],
    default: '1.3',
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: the oldest TLS that its own API speaks.',
  }),
  tls_ciphers: textOrUnset({
    accepts: 'names of cipher suites with : or , between, up to 1024 characters',
    check: (value) =>
      /^[A-Za-z0-9_+:,@=.!-]{1,1024}$/.test(value) ? undefined : `"${value}" is no list of cipher suites`,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: cipher suites of its own API.',
  }),
};

export const deploySection = {
  fast_track: boolean({
    default: false,
    readBy: ['conductor'],
    meaning:
      'Keep a running agent between operations: no power off at the end of an inspection, and ramdisks that the conductor boots are told where the API is.',
  }),
  ...bootDeployOptions,
};

export const fakeSection = {
  inspect_delay: delay({
    default: 0,
    maxS: 86400,
    readBy: ['conductor'],
    meaning:
      'How long the inspect interface `fake` takes. With two numbers the time is drawn between them, most often near the first.',
  }),
};
