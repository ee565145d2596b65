import { boolean, float, integer, text } from '../scalars';
import { choice, wordsOrNone } from '../words';
import { bootModes, groupNameRule } from './names';
import { bootConductorOptions } from './boot';
import { imageOptions } from './ramdisk-agent';

/** Ten years: longer waits are taken for a slip of the pen. */
export const LONGEST_WAIT_S = 315_360_000;

const callbackTimeout = (what: string) =>
  integer({
    default: 1800,
    min: 0,
    max: LONGEST_WAIT_S,
    unit: 's',
    readBy: ['conductor'],
    meaning: `${what} 0: for ever.`,
  });

const waiting = {
  inspect_wait_timeout: integer({
    default: 1800,
    min: 0,
    max: LONGEST_WAIT_S,
    unit: 's',
    oldNames: ['inspect_timeout'],
    readBy: ['conductor'],
    meaning:
      'How long an inspection may wait for the ramdisk, from its last entry into `inspecting`, before it fails. 0: for ever. A node may have its own in driver_info.inspect_wait_timeout.',
  }),
  deploy_callback_timeout: callbackTimeout(
    'How long a deployment may stay in `wait call-back` before it fails, each time that it waits there for its ramdisk.',
  ),
  clean_callback_timeout: callbackTimeout('The same for a cleaning in `clean wait`.'),
  rescue_callback_timeout: callbackTimeout('The same for a rescue in `rescue wait`.'),
  service_callback_timeout: callbackTimeout('The same for a service in `service wait`.'),
  check_provision_state_interval: integer({
    default: 60,
    min: 0,
    max: LONGEST_WAIT_S,
    unit: 's',
    readBy: ['conductor'],
    meaning:
      '0 switches the timeouts of all waiting states off. Any other value switches them on; deadlines are met on time, without a period.',
  }),
  inspecting_return: choice({
    of: ['warn', 'fail'],
    default: 'warn',
    readBy: ['conductor'],
    meaning:
      'What happens when an inspect interface returns INSPECTING instead of INSPECTWAIT: wait with a warning, or fail.',
    difference: { ironic: null, why: 'shows beforehand what the end of that deprecation will bring' },
  }),
  on_restart: choice({
    of: ['resume', 'fail'],
    default: 'resume',
    readBy: ['conductor'],
    meaning:
      'What becomes of work that was under way when its conductor died, at the next start and when another conductor takes over. resume: it is tried again. fail: every node in the middle of it fails as its state says (`inspecting` becomes `inspect failed`), and pending power changes are cleared. Nodes that wait go on waiting either way.',
    difference: {
      ironic: null,
      why: 'Ironic always fails such nodes, eight at a start; here every effect is recorded and can be tried again',
    },
  }),
};

const locking = {
  node_locked_retry_attempts: integer({
    default: 3,
    min: 0,
    max: 1000,
    readBy: ['conductor'],
    meaning: 'Attempts to get a reserved node before the answer is 409.',
  }),
  node_locked_retry_interval: float({
    default: 1,
    min: 0,
    max: 3600,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Time between these attempts; their product is the longest wait for a release.',
  }),
};

const liveness = {
  conductor_group: text({
    ...groupNameRule,
    default: '',
    readBy: ['conductor'],
    meaning: 'Group of nodes that this conductor serves. Empty: nodes without a group.',
  }),
  heartbeat_interval: float({
    default: 10,
    min: 0.1,
    max: 3600,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Time between the signs of life of a conductor.',
  }),
  heartbeat_timeout: float({
    default: 60,
    min: 0.2,
    max: 86400,
    unit: 's',
    readBy: ['api', 'conductor'],
    meaning:
      'A conductor silent for longer is offline. Must be more than heartbeat_interval. Work of a silent one is taken over by another after a quarter of it, at most 15 s.',
  }),
  graceful_shutdown_timeout: float({
    default: 60,
    min: 0,
    max: 86400,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Time that running work gets at a stop; what is not finished is taken up at the next start.',
  }),
};

const powerSync = {
  sync_power_state_interval: float({
    default: 120,
    min: 0,
    max: LONGEST_WAIT_S,
    unit: 's',
    readBy: ['conductor'],
    meaning:
      'How often the power of machines is compared with what is recorded. 0: never. Not of nodes that are reserved, in maintenance, in `enroll`, or in the middle of work.',
  }),
  sync_power_state_workers: integer({
    default: 8,
    min: 1,
    max: 1000,
    readBy: ['conductor'],
    meaning: 'Machines that are asked for it at a time.',
  }),
  force_power_state_during_sync: boolean({
    default: true,
    readBy: ['conductor'],
    meaning:
      'true: a machine in another state is put back into the recorded one. false, and during an inspection in any case: its state is recorded.',
  }),
  power_state_sync_max_retries: integer({
    default: 3,
    min: 0,
    max: 1000,
    readBy: ['conductor'],
    meaning:
      'So often in a row a machine may fail to answer, or to be in the recorded state, before its node goes into maintenance with the fault `power failure`; not during an inspection.',
  }),
  power_failure_recovery_interval: float({
    default: 300,
    min: 0,
    max: LONGEST_WAIT_S,
    unit: 's',
    readBy: ['conductor'],
    meaning:
      'How often nodes with that fault are tried; the first answer ends their maintenance, unless an operator has set it anew. 0: never.',
  }),
};

const nodes = {
  check_allocations_interval: float({
    default: 60,
    min: 0,
    max: LONGEST_WAIT_S,
    unit: 's',
    readBy: ['conductor'],
    meaning:
      'How often allocations are looked for that another conductor left in `allocating`. 0: only when a new one comes, and at a start.',
  }),
  automatic_lessee_source: choice({
    of: ['instance', 'request', 'none'],
    default: 'instance',
    readBy: ['conductor'],
    meaning:
      'Who becomes lessee of a node without one when it is deployed, until it is torn down: `project_id` of its instance_info, the project of the request (nobody, as requests carry none here), or nobody.',
  }),
  automated_clean: boolean({
    default: true,
    readBy: ['conductor'],
    meaning:
      'Clean a node when it is provided or torn down; the automated_clean of a node overrides. A node passes through `cleaning` either way; with false its deploy interface is not asked for anything there.',
  }),
  max_concurrent_deploy: integer({
    default: 250,
    min: 1,
    max: 1_000_000,
    readBy: ['conductor'],
    meaning: 'With so many nodes in the middle of a deployment no further one begins: 503.',
  }),
  max_concurrent_clean: integer({
    default: 50,
    min: 1,
    max: 1_000_000,
    readBy: ['conductor'],
    meaning: 'The same for cleaning and tearing down. What is begun is always brought to its end.',
  }),
  max_concurrent_per_conductor_group: boolean({
    default: false,
    readBy: ['conductor'],
    meaning: 'Count within the conductor group of the node instead of over all nodes.',
  }),
  power_state_change_timeout: float({
    default: 60,
    min: 1,
    max: 86400,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Time that a power change may take before it counts as failed.',
  }),
  soft_power_off_timeout: float({
    default: 600,
    min: 1,
    max: 86400,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Time that a machine gets to shut down or restart itself, where the request names none.',
  }),
  ...powerSync,
  allow_deleting_available_nodes: boolean({
    default: true,
    readBy: ['conductor'],
    meaning: 'Nodes in `available` may be deleted.',
  }),
  allow_provisioning_in_maintenance: boolean({
    default: true,
    readBy: ['conductor'],
    meaning: 'false: `provide` is refused while the node is in maintenance.',
  }),
  disallowed_deployment_boot_modes: wordsOrNone({
    ...bootModes,
    readBy: ['api'],
    meaning:
      'Boot modes in which no deployment begins: that of instance_info.capabilities, else of properties.capabilities, else what the machine is known to be set to.',
  }),
  node_history: boolean({
    default: true,
    readBy: ['api', 'conductor'],
    meaning: 'Record failures in the history of the node. The event log is kept in any case.',
  }),
  record_step_flows_in_history: boolean({
    default: true,
    readBy: ['conductor'],
    meaning:
      'Record in the history of the node also that the steps of a cleaning, a deployment or a service begin and that they have ended well (INFO). Applies to what happens from then on.',
  }),
  node_history_max_entries: integer({
    default: 300,
    min: 0,
    max: 1_000_000,
    readBy: ['conductor'],
    meaning: 'History entries kept per node; 0: none.',
  }),
};

/** contract: config.md [conductor], inspection.md §3.2, §8, §9.3, §15 */
export const conductorSection = {
  ...waiting,
  ...locking,
  ...liveness,
  ...nodes,
  ...imageOptions,
  ...bootConductorOptions,
};
