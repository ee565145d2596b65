import { boolean, float, textOrUnset, urlOrUnset } from '../scalars';
import type { TextRule } from '../scalars';
import { choice } from '../words';

/** Which inspector the interface `inspector` asks, and how. contract: inspector-api.md §1, §5 */

const readBy = ['conductor'] as const;
const removed = { ironic: null, why: 'Ironic removed it together with the interface `inspector`' };

const KEYSTONE = 'identities of keystone are not served by this release; set none, http_basic or admin_token';

/** What goes into an HTTP header. The text itself is a secret and stands in no message. */
export const headerRule: TextRule = {
  accepts: 'printable characters, up to 1024',
  check: (value) => (/^[\x20-\x7e]{1,1024}$/.test(value) ? undefined : 'it is not up to 1024 printable characters'),
};

export const userNameRule: TextRule = {
  ...headerRule,
  check: (value) => (value.includes(':') ? 'a user name with a colon' : headerRule.check?.(value)),
};

export const inspectorPeerOptions = {
  endpoint_override: urlOrUnset({
    readBy,
    meaning:
      'Address of an ironic-inspector over HTTP, with or without `/v1`. Unset: the inspector on the message bus is asked, which is our simulator.',
    difference: removed,
  }),
  auth_type: choice({
    of: ['none', 'http_basic', 'admin_token'],
    default: 'none',
    refuse: { password: KEYSTONE, v3password: KEYSTONE, v3token: KEYSTONE, token: KEYSTONE },
    readBy,
    meaning:
      'How the inspector at endpoint_override is told who asks: not at all, by user name and password, or by a fixed `X-Auth-Token`.',
    difference: removed,
  }),
  username: textOrUnset({
    ...userNameRule,
    readBy,
    meaning: 'User name for `http_basic`.',
    difference: removed,
  }),
  password: textOrUnset({ ...headerRule, readBy, meaning: 'Password for `http_basic`.', difference: removed }),
  token: textOrUnset({ ...headerRule, readBy, meaning: 'Token for `admin_token`.', difference: removed }),
  cafile: textOrUnset({
    accepts: 'an absolute path',
    check: (value) => (value.startsWith('/') ? undefined : `"${value}" is no absolute path`),
    readBy,
    meaning: 'Certificates, in PEM, that an inspector over https is held against. Unset: those of the system.',
    difference: removed,
  }),
  insecure: boolean({
    default: false,
    readBy,
    meaning: 'Take any certificate of an inspector over https.',
    difference: removed,
  }),
  timeout: float({
    default: 10,
    min: 0.1,
    max: 600,
    unit: 's',
    readBy,
    meaning: 'Longest time that one call to the inspector may take, connecting included.',
    difference: { ...removed, why: `${removed.why}; an abort keeps its caller waiting, so it is short` },
  }),
};
