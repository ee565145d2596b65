import { scriptNames } from '@lib/domain/introspection';
import type { Description } from '../option';
import { boolean, float, text, textOrUnset, urlOrUnset } from '../scalars';
import { choice, delay, weightsOrUnset } from '../words';
import { LONGEST_WAIT_S } from './conductor';
import { headerRule, userNameRule } from './inspector-peer';

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
    of: ['noauth', 'http_basic'],
    default: 'noauth',
    refuse: { keystone: 'identities of keystone are not served by this release; set noauth or http_basic' },
    meaning:
      'Who may use its API over HTTP: everybody, or who knows `username` and `password`. The table of versions and what ramdisks post are open to everybody.',
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
  power_off: boolean({
    ...own(AS_INSPECTOR),
    default: true,
    meaning: 'Power a machine off at the end, where the inspector manages its boot.',
  }),
  store_data: choice({
    ...own(`${AS_INSPECTOR}; there the default is none, and then no inventory reaches the node`),
    of: ['database', 'none'],
    default: 'database',
    meaning: 'Keep the data of the last introspection for those who ask.',
  }),
  ramdisk_poll: float({
    ...own(FLEET),
    default: 2,
    min: 0,
    max: 3600,
    unit: 's',
    meaning:
      'Time between two looks for nodes of the interface `agent` that wait and name a script in extra.simulator; their ramdisks are played. 0: never.',
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
