import { scriptNames } from '@lib/domain/introspection';
import type { Description } from '../option';
import { boolean, float, integer, text, textOrUnset, urlOrUnset } from '../scalars';
import { choice, delay, weightsOrUnset } from '../words';
import { folderRule } from './boot';
import { LONGEST_WAIT_S } from './conductor';
import { headerRule, userNameRule } from './inspector-peer';
import { hardwareTypeRule } from './names';

const own = (why: string): Pick<Description, 'readBy' | 'difference'> => ({
  readBy: ['inspector-simulator'],
  difference: { ironic: null, why },
});
const AS_INSPECTOR = 'an option of ironic-inspector, which the simulator plays';
const FLEET = 'simulated machines exist only here';

/** The inspector that the simulator plays, and its machines. contract: inspector-api.md §3-6 */
export const simulatorSection = {
  api_endpoint: urlOrUnset({
    ...own(AS_INSPECTOR),
    meaning:
      'Address of the Bare Metal API whose nodes it inspects, with or without `/v1`: also that of a real Ironic, which names the simulator as its `[inspector] endpoint_override`. Unset: the API of this stack, on this host.',
  }),
  auth_strategy: choice({
    ...own(`${AS_INSPECTOR}; there the default is keystone, and http_basic reads a file of users`),
    of: ['noauth', 'http_basic', 'keystone'],
    default: 'noauth',
    meaning:
      'Who may use its API over HTTP: everybody; who knows `username` and `password`; or who has an `X-Auth-Token` that the identity service at `auth_url` vouches for, with a role. The table of versions and what ramdisks post are open to everybody.',
  }),
  auth_url: urlOrUnset({
    ...own(`${AS_INSPECTOR}: its [keystone_authtoken] auth_url`),
    meaning: 'Address of the identity service (keystone), with or without `/v3`, for `keystone`.',
  }),
  cafile: textOrUnset({
    ...own(`${AS_INSPECTOR}: its [keystone_authtoken] cafile`),
    ...folderRule,
    meaning:
      'Certificates, in PEM, that an identity service over https is held against. Unset: those that Node.js brings.',
  }),
  token_cache_time: float({
    ...own(`${AS_INSPECTOR}: its [keystone_authtoken] token_cache_time, 300 there`),
    default: 60,
    min: 0,
    max: 3600,
    unit: 's',
    meaning: 'How long a token is believed without asking the identity service again.',
  }),
  username: textOrUnset({ ...own(AS_INSPECTOR), ...userNameRule, meaning: 'User name for `http_basic`.' }),
  password: textOrUnset({ ...own(AS_INSPECTOR), ...headerRule, meaning: 'Password for `http_basic`.' }),
  timeout: float({
    ...own(AS_INSPECTOR),
    default: 3600,
    min: 0,
    max: LONGEST_WAIT_S,
    unit: 's',
    meaning: 'An introspection open for longer ends with an error. 0: never.',
  }),
  clean_up_period: float({
    ...own(AS_INSPECTOR),
    default: 60,
    min: 0,
    max: 86400,
    unit: 's',
    meaning: 'Time between two looks for such introspections. 0: never, and the table of nodes is not compared either.',
  }),
  can_manage_boot: boolean({
    ...own(AS_INSPECTOR),
    default: true,
    meaning: 'The inspector may set the boot device and power of a machine through our API.',
  }),
  introspection_delay: float({
    ...own(`${AS_INSPECTOR}; there the default is 5`),
    default: 0,
    min: 0,
    max: 3600,
    unit: 's',
    meaning: 'Time from the reboot of one machine to that of the next, where the inspector manages their boot.',
  }),
  power_off: boolean({
    ...own(AS_INSPECTOR),
    default: true,
    meaning: 'Power a machine off at the end, where the inspector manages its boot.',
  }),
  ramdisk_logs_dir: textOrUnset({
    ...own(AS_INSPECTOR),
    ...folderRule,
    meaning:
      'Folder in which the logs of ramdisks are kept whose data was refused or failed: `<node or unknown>_<time>.tar.gz`. Unset: they are dropped.',
  }),
  always_store_ramdisk_logs: boolean({
    ...own(AS_INSPECTOR),
    default: false,
    meaning: 'Keep the logs of all ramdisks there.',
  }),
  permit_active_introspection: boolean({
    ...own(AS_INSPECTOR),
    default: false,
    meaning:
      'Nodes in `active` and `rescue` may be introspected, and their machines may send data without a start: they are known by the MACs of their ports.',
  }),
  node_not_found_hook: choice({
    ...own(`${AS_INSPECTOR}; any other hook is unknown`),
    of: ['none', 'enroll'],
    default: 'none',
    meaning: 'What becomes of data that is of no known machine: it is refused, or a node is made for it.',
  }),
  enroll_node_driver: text({
    ...own(AS_INSPECTOR),
    ...hardwareTypeRule,
    default: 'fake-hardware',
    meaning: 'Hardware type of the nodes that `enroll` makes.',
  }),
  api_max_limit: integer({
    ...own(AS_INSPECTOR),
    default: 1000,
    min: 1,
    max: 100000,
    meaning: 'Longest page of the list of introspections, and its length where none is asked for.',
  }),
  store_data: choice({
    ...own(`${AS_INSPECTOR}; there the default is none, and then no inventory reaches the node`),
    of: ['database', 'none'],
    default: 'database',
    meaning: 'Keep the data of the last introspection for those who ask.',
  }),
  state_file: textOrUnset({
    ...own(`${AS_INSPECTOR}: its [database] connection`),
    ...folderRule,
    meaning:
      'File in which the simulator keeps what it knows (introspections, their data, rules, what its ramdisks have yet to do), so that it goes on after a restart. One simulator per file. Unset: a restart forgets all, as an inspector that lost its cache.',
  }),
  ramdisk_poll: float({
    ...own(FLEET),
    default: 2,
    min: 0,
    max: 3600,
    unit: 's',
    meaning:
      'Time between two looks for nodes of the interface `agent` that wait and name a script in extra.simulator; their ramdisks are played. They are looked for as well when a conductor opens a deadline. 0: never.',
  }),
  fleet_weights: weightsOrUnset({
    ...own(FLEET),
    noun: 'script',
    known: scriptNames,
    meaning:
      'Scripts of machines that name none in extra.simulator, drawn by weight. Unset: such machines are left alone.',
  }),
  fleet_seed: text({
    ...own(FLEET),
    accepts: 'letters, digits and . _ -, 1 to 64',
    check: (value) =>
      /^[A-Za-z0-9._-]{1,64}$/.test(value) ? undefined : `"${value}" is not 1 to 64 letters, digits and . _ -`,
    default: 'ferrolog',
    meaning: 'The same seed draws the same script for the same node.',
  }),
  fleet_after: delay({
    ...own(FLEET),
    default: 1,
    maxS: 86400,
    meaning: 'When such a machine posts its data; with two numbers evenly drawn between them.',
  }),
};
