import { knownHardwareTypes } from '../hardware-names';
import { integer, machineText, textOrUnset, text } from '../scalars';
import { levelOrUnset, ownWords } from '../own-words';
import { choice, packagesOrNone, wordsOf } from '../words';
import { groupNameRule, hostNameRule } from './names';
import { interfaceOptions } from './interfaces';

/** Every topic gets a message of its own, and an event's messages share its numbers (libs/usecases/src/publish-notifications). */
export const NOTIFICATION_TOPICS_MAX = 8;

/** contract: config.md [DEFAULT], errors-and-negotiation.md §9 */
export const defaultSection = {
  host: machineText({
    ...hostNameRule,
    of: 'hostname',
    defaultText: 'host name of the machine',
    readBy: ['conductor'],
    meaning: 'Identity of this conductor: shown in conductors, node.conductor, node.reservation and history.',
  }),
  auth_strategy: choice({
    of: ['noauth'],
    default: 'noauth',
    refuse: {
      keystone: 'keystone is not served by this release; set noauth, and let only trusted clients reach the API',
      http_basic: 'http_basic is not served by this release; set noauth, and let only trusted clients reach the API',
    },
    readBy: ['api'],
    meaning:
      'How callers are identified. `noauth`: every request is accepted, so only trusted clients may reach the API.',
    difference: {
      ironic: 'keystone',
      why: 'authentication does not exist in this release; another value stops the start',
    },
  }),
  enabled_hardware_types: wordsOf({
    noun: 'hardware type',
    known: knownHardwareTypes,
    extensible: true,
    default: knownHardwareTypes,
    readBy: ['conductor'],
    meaning: 'Hardware types (drivers) that this conductor serves.',
    difference: {
      ironic: 'ipmi,redfish',
      why: 'simulated and hand-operated machines work at once; IPMI is not part of this release',
    },
  }),
  ...interfaceOptions,
  extensions: packagesOrNone({
    readBy: ['conductor'],
    meaning:
      'Packages that add hardware types or interfaces, loaded in this order when a conductor starts: names, looked for in the working folder and beside this program, or paths from the working folder. What they add has to be enabled as everything else (docs/extending.md).',
    difference: { ironic: null, why: 'Ironic finds drivers by the entry points of installed Python packages' },
  }),
  default_resource_class: textOrUnset({
    accepts: 'up to 80 characters',
    check: (value) => (value.length > 80 ? `"${value}" is longer than 80 characters` : undefined),
    readBy: ['conductor'],
    meaning: 'Resource class of nodes created without one. Unset: they have none.',
  }),
  default_conductor_group: text({
    ...groupNameRule,
    default: '',
    readBy: ['conductor'],
    meaning: 'Conductor group of nodes created without one. Empty: no group.',
  }),
  default_portgroup_mode: text({
    accepts: 'letters, digits, dots and dashes, such as balance-rr or 802.3ad',
    check: (value) => (/^[\w.-]{1,255}$/.test(value) ? undefined : `"${value}" is no name of a mode`),
    default: 'active-backup',
    readBy: ['conductor'],
    meaning: 'Mode of port groups created without one.',
  }),
  notification_level: levelOrUnset({
    readBy: ['conductor'],
    meaning:
      'Lowest level of versioned notifications that are sent, to JetStream; docs/notifications.md has them all. Unset: none are sent.',
  }),
  versioned_notifications_topics: ownWords({
    noun: 'topic',
    atMost: NOTIFICATION_TOPICS_MAX,
    charsMax: 64,
    default: ['ironic_versioned_notifications'],
    readBy: ['conductor'],
    meaning:
      'Topics of versioned notifications; each gets every one, under the subject `<prefix>.v1.ntf.<topic>.<level>`.',
  }),
  log_in_db_max_size: integer({
    default: 4096,
    min: 64,
    max: 1048576,
    unit: 'characters',
    readBy: ['conductor'],
    meaning: 'last_error and maintenance_reason are cut to this length.',
  }),
  webserver_verify_ca: text({
    default: 'true',
    accepts: 'true, false, or the absolute path of a file with certificates',
    check: (value) =>
      /^(true|false)$/i.test(value) || value.startsWith('/')
        ? undefined
        : `"${value}" is neither true, nor false, nor an absolute path`,
    readBy: ['conductor'],
    meaning: 'Who vouches for the https servers that `api-call` actions of inspection rules ask. false: nobody has to.',
  }),
};
