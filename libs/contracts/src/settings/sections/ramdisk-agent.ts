import { boolean, integer, text, textOrUnset, type TextRule } from '../scalars';
import { choice, textsOf } from '../words';

/** One argument, name or path: printable ASCII without spaces; a comma ends an entry of a list. */
const wordRule: Required<TextRule> = {
  accepts: 'printable ASCII without spaces and commas, up to 255 characters',
  check: (word) =>
    /^[\x21-\x2b\x2d-\x7e]{1,255}$/.test(word)
      ? undefined
      : `"${word}" is not one word of printable characters, up to 255`,
};
const wordsRule: Required<TextRule> = {
  ...wordRule,
  accepts: `words separated by commas, or nothing; each ${wordRule.accepts}`,
};

/** Handed to ramdisks in the answer to their lookup, as it is. contract: config.md, other-resources.md §3 */
export const metricsSection = {
  agent_backend: choice({
    of: ['noop', 'statsd'],
    default: 'noop',
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: where its agent sends metrics. `noop`: nowhere.',
  }),
  agent_prepend_host: boolean({
    default: false,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: names of metrics begin with its host name.',
  }),
  agent_prepend_uuid: boolean({
    default: false,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: names of metrics begin with the UUID of its node.',
  }),
  agent_prepend_host_reverse: boolean({
    default: true,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: the parts of that host name stand in reverse order.',
  }),
  agent_global_prefix: textOrUnset({
    ...wordRule,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: names of all metrics begin with it.',
  }),
};

export const metricsStatsdSection = {
  agent_statsd_host: text({
    ...wordRule,
    default: 'localhost',
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: host that takes metrics by the statsd protocol.',
  }),
  agent_statsd_port: integer({
    default: 8125,
    min: 0,
    max: 65535,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: port of that host.',
  }),
};

export const agentContainersSection = {
  allow_arbitrary_containers: boolean({
    default: false,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: steps may run containers that are not among the allowed ones.',
  }),
  allowed_containers: textsOf({
    ...wordsRule,
    canBeEmpty: true,
    default: [],
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: images of containers that steps may run.',
  }),
  container_steps_file: text({
    ...wordRule,
    default: '/etc/ironic-python-agent.d/mysteps.yaml',
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: file in it that declares steps which run containers.',
  }),
  runner: text({
    ...wordRule,
    default: 'podman',
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: program that runs containers.',
  }),
  pull_options: textsOf({
    ...wordsRule,
    canBeEmpty: true,
    default: [],
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: arguments with which that program fetches an image.',
  }),
  run_options: textsOf({
    ...wordsRule,
    canBeEmpty: true,
    default: ['--rm', '--network=host'],
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: arguments with which that program runs one.',
  }),
};

/** These stand in [conductor]. */
export const imageOptions = {
  permitted_image_formats: textsOf({
    accepts: 'names of formats (lower case letters and digits), separated by commas',
    check: (word) => (/^[a-z0-9]{1,32}$/.test(word) ? undefined : `"${word}" is no name of an image format`),
    canBeEmpty: false,
    default: ['raw', 'gpt', 'qcow2', 'iso'],
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: formats of images that it writes.',
  }),
  disable_deep_image_inspection: boolean({
    default: false,
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: it does not look into an image before it writes it.',
  }),
};
