import { boolean, integer, text, urlOrUnset } from '../scalars';
import { originsOrNone, stepNames, wordsOrNone } from '../words';
import { bootModes, hostNameRule } from './names';

/** The HTTP side. contract: config.md [api], errors-and-negotiation.md §7, §8, node-api.md §5 */
export const apiSection = {
  host_ip: text({
    ...hostNameRule,
    accepts: 'an address of this machine',
    default: '127.0.0.1',
    readBy: ['api'],
    meaning: 'Address that the API listens on. `0.0.0.0`: all.',
    difference: {
      ironic: '0.0.0.0',
      why: 'without authentication whoever reaches the API may power machines off, so opening it is a decision of the operator',
    },
  }),
  port: integer({
    default: 6385,
    min: 0,
    max: 65535,
    readBy: ['api'],
    meaning: 'Port that the API listens on; FERROLOG_API_PORT overrides it. 0: a free port chosen by the system.',
  }),
  public_endpoint: urlOrUnset({
    readBy: ['api', 'conductor'],
    meaning:
      'Base of all links in answers; ramdisks that the conductor boots are sent here. Unset: taken from the request, and from where the API listens.',
  }),
  max_limit: integer({
    default: 1000,
    min: 1,
    max: 10000,
    readBy: ['api'],
    meaning: 'Largest page of a list, and its size when the request names none.',
  }),
  disallow_clean_steps: stepNames({
    default: ['vendor.send_raw'],
    readBy: ['api'],
    meaning: 'Steps that are refused in clean_steps and in a runbook for the verb clean.',
  }),
  disallow_deploy_steps: stepNames({
    default: ['vendor.send_raw'],
    readBy: ['api'],
    meaning: 'Steps that are refused in deploy_steps.',
  }),
  disallow_service_steps: stepNames({
    default: ['vendor.send_raw'],
    readBy: ['api'],
    meaning: 'Steps that are refused in service_steps and in a runbook for the verb service.',
  }),
  disallowed_enrollment_boot_modes: wordsOrNone({
    ...bootModes,
    readBy: ['api'],
    meaning:
      'Boot modes that are refused in properties.capabilities of a node, at its creation and wherever a PATCH writes them.',
  }),
  max_json_body_size: integer({
    default: 1024,
    min: 1,
    max: 65536,
    unit: 'KiB',
    readBy: ['api'],
    meaning: 'Largest JSON body; above it the answer is 413.',
  }),
  max_json_body_size_provision: integer({
    default: 65536,
    min: 1,
    max: 65536,
    unit: 'KiB',
    readBy: ['api'],
    meaning: 'The same for states/provision, which carries configuration drives.',
  }),
  max_json_body_size_inspection: integer({
    default: 16384,
    min: 1,
    max: 65536,
    unit: 'KiB',
    readBy: ['api'],
    meaning: 'The same for continue_inspection, which carries inventories and logs.',
  }),
  enable_ramdisk_endpoints: boolean({
    default: true,
    readBy: ['api'],
    meaning: 'false: lookup, heartbeat and continue_inspection answer 403.',
  }),
  restrict_lookup: boolean({
    default: true,
    readBy: ['api'],
    meaning: 'Ramdisks find only nodes in states in which a ramdisk is expected. false: nodes in every state.',
  }),
  ramdisk_heartbeat_timeout: integer({
    default: 300,
    min: 1,
    max: 86400,
    unit: 's',
    readBy: ['api'],
    meaning: 'Handed to the ramdisk: it sends a heartbeat at least this often.',
  }),
  max_json_body_depth: integer({
    default: 25,
    min: 1,
    max: 1000,
    readBy: ['api'],
    meaning: 'Deepest nesting of a JSON body; above it the answer is 400.',
  }),
};

export const osloMiddlewareSection = {
  enable_proxy_headers_parsing: boolean({
    default: false,
    readBy: ['api'],
    meaning:
      'Trust Forwarded and X-Forwarded-Proto, -Host, -Port, -Prefix and -For for the links in answers and the client address in the log. Only behind a proxy that sets each of them or takes it away.',
  }),
};

/** contract: config.md, errors-and-negotiation.md §1 */
export const corsSection = {
  allowed_origin: originsOrNone({
    readBy: ['api'],
    meaning:
      'Origins whose pages may use the API from a browser, or `*` for all. Unset: browsers keep pages of other origins out.',
  }),
};

export const healthcheckSection = {
  enabled: boolean({
    default: true,
    readBy: ['api'],
    meaning: 'Serve GET /healthcheck.',
    difference: { ironic: 'false', why: 'whoever starts or watches the stack needs it, and it tells nothing else' },
  }),
};
