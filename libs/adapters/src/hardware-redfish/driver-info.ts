import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Machine } from '@lib/ports';
import { HardwareError } from './hardware-error';
import type { AuthType, RedfishOptions } from './options';

/** How a node's BMC is reached (contract: redfish.md §1). */
export interface BmcAccess {
  /** Scheme, host and port: `https://bmc1:8443`. */
  readonly origin: string;
  /** Path of the service root, with a slash at its end. */
  readonly root: string;
  /** Path of the system, quoted; null: the only one that there is. */
  readonly systemPath: string | null;
  /** Null: no authentication. */
  readonly account: { readonly username: string; readonly password: string } | null;
  /** A text is the path of what vouches for it. */
  readonly verify: boolean | string;
  readonly tls: TlsLimits;
  readonly authType: AuthType;
}

/** What is asked of TLS beside trust; what is left out is as Node has it. */
export interface TlsLimits {
  readonly minVersion?: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** As OpenSSL lists them. */
  readonly ciphers?: string;
}

type Info = Machine['driverInfo'];
type Defaults = Pick<RedfishOptions, 'authType' | 'verifyCa'>;

class Problem extends HardwareError {}

const TLS_VERSIONS = ['1.1', '1.2', '1.3'] as const;
const TRUE_WORDS = ['true', 't', 'yes', 'y', 'on', '1'];
const FALSE_WORDS = ['false', 'f', 'no', 'n', 'off', '0'];
const DEFAULT_ROOT = '/redfish/v1/';

/** Null when driver_info tells how to reach the BMC, else what is wrong with it. */
export function accessProblem(info: Info, defaults: Defaults): string | null {
  try {
    accessOf(info, defaults);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

export function accessOf(info: Info, defaults: Defaults): BmcAccess {
  const { origin, pathname } = addressOf(info['redfish_address']);
  return {
    origin,
    root: pathname === '/' ? DEFAULT_ROOT : `${pathname.replace(/\/+$/, '')}/`,
    systemPath: systemPathOf(info['redfish_system_id']),
    account: accountOf(info),
    verify: verifyOf(info['redfish_verify_ca'], defaults.verifyCa),
    tls: {
      ...minVersionOf(info['redfish_tls_minimum_version']),
      ...ciphersOf(info['redfish_tls_ciphers']),
    },
    authType: authTypeOf(info['redfish_auth_type'], defaults.authType),
  };
}

function addressOf(value: unknown): URL {
  if (value === undefined || value === null || value === '') {
    throw new Problem('driver_info lacks redfish_address, the address of the BMC.');
  }
  const bad = new Problem(`driver_info: redfish_address ${JSON.stringify(value)} is no http or https address.`);
  if (typeof value !== 'string' || /[\s\\]/.test(value)) throw bad;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${isIPv6(value) ? `[${value}]` : value}`;
  if (!URL.canParse(withScheme)) throw bad;
  const url = new URL(withScheme);
  const isOdd = url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '';
  if (!/^https?:$/.test(url.protocol) || url.hostname === '' || isOdd) throw bad;
  return url;
}

function systemPathOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value === '') {
    throw new Problem(`driver_info: redfish_system_id ${JSON.stringify(value)} is no path.`);
  }
  const path = value.startsWith('/') ? value : `/${value}`;
  // Quoted once: a path that came quoted stays as it is.
  return encodeURI(decodable(path)).replace(/[?#]/g, encodeURIComponent);
}

function decodable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function accountOf(info: Info): BmcAccess['account'] {
  const { redfish_username: username = null, redfish_password: password = null } = info;
  for (const [name, value] of [
    ['redfish_username', username],
    ['redfish_password', password],
  ] as const) {
    if (value !== null && typeof value !== 'string') throw new Problem(`driver_info: ${name} is no text.`);
  }
  return typeof username === 'string' ? { username, password: typeof password === 'string' ? password : '' } : null;
}

function verifyOf(value: unknown, configured: boolean | string): boolean | string {
  if (value === undefined || value === null) return configured;
  if (value === true) return configured;
  if (value === false) return false;
  if (typeof value !== 'string') {
    throw new Problem('driver_info: redfish_verify_ca is neither a boolean nor the path of a file or folder.');
  }
  if (TRUE_WORDS.includes(value.toLowerCase())) return configured;
  if (FALSE_WORDS.includes(value.toLowerCase())) return false;
  if (existsSync(value)) return value;
  throw new Problem(`driver_info: redfish_verify_ca names ${JSON.stringify(value)}, which does not exist.`);
}

/** Clients read a version as a number where they can. */
function minVersionOf(value: unknown): Pick<TlsLimits, 'minVersion'> {
  if (value === undefined || value === null) return {};
  const version = TLS_VERSIONS.find((one) => one === String(value));
  if (version !== undefined) return { minVersion: `TLSv${version}` };
  const list = TLS_VERSIONS.join(', ');
  throw new Problem(`driver_info: redfish_tls_minimum_version ${JSON.stringify(value)} is none of ${list}.`);
}

function ciphersOf(value: unknown): Pick<TlsLimits, 'ciphers'> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string' && value !== '' && isCipherList(value)) return { ciphers: value };
  throw new Problem(
    `driver_info: redfish_tls_ciphers ${JSON.stringify(value)} is no list of ciphers as OpenSSL has it.`,
  );
}

/** Only the library itself knows its ciphers. */
function isCipherList(ciphers: string): boolean {
  try {
    createSecureContext({ ciphers });
    return true;
  } catch {
    return false;
  }
}

function authTypeOf(value: unknown, configured: AuthType): AuthType {
  if (value === undefined || value === null) return configured;
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === 'basic' || word === 'session' || word === 'auto') return word;
  throw new Problem(`driver_info: redfish_auth_type ${JSON.stringify(value)} is none of basic, session and auto.`);
}
