import { hookNames } from '@lib/domain';
import { float, integer, text } from '../scalars';
import { choice, wordsOf } from '../words';

const readBy = ['conductor'] as const;

const ownLimit = (fixed: number) => ({
  ironic: null,
  why: `Ironic leaves it to a library, where it is fixed at ${fixed}`,
});

/** How BMCs are spoken to. contract: config.md, redfish.md §1, §2, §4 */
export const redfishSection = {
  connection_attempts: integer({
    default: 5,
    min: 1,
    max: 100,
    readBy,
    meaning: 'Tries of a call to a BMC that can not be reached, or refuses the account.',
  }),
  connection_retry_interval: float({
    default: 4,
    min: 0,
    max: 3600,
    unit: 's',
    readBy,
    meaning: 'Time between two of these tries.',
  }),
  connection_cache_size: integer({
    default: 1000,
    min: 0,
    max: 100_000,
    readBy,
    meaning: 'Connections to BMCs that are kept for the next call, one for each address and account. 0: none.',
  }),
  auth_type: choice({
    of: ['auto', 'basic', 'session'],
    default: 'auto',
    readBy,
    meaning:
      'How nodes authenticate that name no redfish_auth_type: with a session, with the password in each request, or with the latter where the BMC offers no sessions.',
  }),
  verify_ca: text({
    default: 'true',
    accepts: 'true, false, or the absolute path of a file or folder with certificates',
    check: (value) =>
      /^(true|false)$/i.test(value) || value.startsWith('/')
        ? undefined
        : `"${value}" is neither true, nor false, nor an absolute path`,
    readBy,
    meaning: 'Who vouches for BMCs of nodes whose redfish_verify_ca is true or not set. false: nobody has to.',
  }),
  inspection_hooks: wordsOf({
    noun: 'hook',
    known: hookNames,
    default: ['validate-interfaces', 'ports', 'architecture'],
    readBy,
    meaning: 'Hooks that process what out-of-band inspection found, in this order.',
  }),
  connect_timeout: float({
    default: 30,
    min: 0.1,
    max: 3600,
    unit: 's',
    readBy,
    meaning: 'Time that a connection to a BMC may take.',
    difference: ownLimit(30),
  }),
  read_timeout: float({
    default: 60,
    min: 0.1,
    max: 3600,
    unit: 's',
    readBy,
    meaning: 'Longest silence of a BMC that was asked for something.',
    difference: ownLimit(60),
  }),
  server_error_attempts: integer({
    default: 10,
    min: 0,
    max: 100,
    readBy,
    meaning: 'Further tries of a read that a BMC answers with 5xx.',
    difference: ownLimit(10),
  }),
  server_error_interval: float({
    default: 3,
    min: 0,
    max: 3600,
    unit: 's',
    readBy,
    meaning: 'Time between two of these tries.',
    difference: ownLimit(3),
  }),
};
