/** What a client sees in place of a secret (contract: node-api.md §1). */
export const MASK = '******';

/** The shape of a sealed value; the port `SecretBox` makes and opens them. */
export interface SealedValue {
  readonly sealed: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

const sealedKeys: readonly string[] = ['data', 'iv', 'sealed', 'tag'];

/** Looks at the four members first: listing those of a large object for every step into it would cost its square. */
export const isSealed = (value: unknown): value is SealedValue => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const holds = (key: string): boolean => Object.hasOwn(value, key) && typeof (value as JsonObject)[key] === 'string';
  return sealedKeys.every(holds) && Object.keys(value).length === sealedKeys.length;
};

type JsonObject = Readonly<Record<string, unknown>>;

/** Every sealed value in a value, at any depth. */
function sealedIn(value: unknown): readonly SealedValue[] {
  if (isSealed(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sealedIn) : [];
}

/**
 * The first of the secret fields that holds a sealed value which was not there before, null when there is none. A patch
 * may move what was sealed; only the server seals, so anything else that looks so is a client's and refused at the door.
 */
export function foreignSealedField(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  names: readonly string[] = secretFieldNames,
): string | null {
  const own = new Set(names.flatMap((field) => sealedIn(before[field])).map(fingerprint));
  const isForeign = (value: SealedValue): boolean => !own.has(fingerprint(value));
  return names.find((field) => sealedIn(after[field]).some(isForeign)) ?? null;
}

/** The keys under which something in a value is sealed. */
export const sealingKeys = (value: unknown): ReadonlySet<string> =>
  new Set(sealedIn(value).map(({ sealed }) => sealed));

const fingerprint = ({ sealed, iv, tag, data }: SealedValue): string => JSON.stringify([sealed, iv, tag, data]);

/** Words whose presence in a key makes its value a secret, in any case and spelling of the separator. */
const secretWords: readonly string[] = [
  'password',
  'passwd',
  'secret',
  'token',
  'adminpass',
  'admin_pass',
  'auth_key',
  'authkey',
  'private_key',
  'priv_key',
  'encryption_key',
  'api_key',
  'apikey',
  'access_key',
  'credential',
  'passphrase',
  'new_pass',
  'pswd',
  'encrypted_key',
  'fernetkey',
  'sslkey',
];

export const isSecretName = (key: string): boolean => {
  const plain = key.toLowerCase().replaceAll('-', '_');
  return secretWords.some((word) => plain.includes(word));
};

/** Fields of a node whose values may hold secrets at any depth, and names that are secret there beside the patterns. */
const secretFields: Readonly<Record<string, readonly string[]>> = {
  driver_info: ['snmp_auth_key', 'snmp_priv_key'],
  instance_info: ['configdrive', 'image_url'],
  driver_internal_info: [],
};

export const secretFieldNames: readonly string[] = Object.keys(secretFields);

const isSecretIn = (field: string, key: string, depth: number): boolean =>
  isSecretName(key) || (depth === 0 && (secretFields[field]?.includes(key) ?? false));

/** Nothing to hide: absent, empty, or hidden already. */
const isBlank = (value: unknown): boolean => value === null || value === undefined || value === '';

type Replace = (value: unknown) => unknown;

/** Walks a free object and replaces what its names call secret. Sealed values count as leaves. */
function replaceSecrets(field: string, value: unknown, replace: Replace, depth: number): unknown {
  if (isSealed(value)) return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceSecrets(field, item, replace, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    isSecretIn(field, key, depth) && !isBlank(inner)
      ? replace(inner)
      : replaceSecrets(field, inner, replace, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** The value as clients, readers of events and logs may see it. */
export const maskSecrets = (field: string, value: unknown): unknown => replaceSecrets(field, value, () => MASK, 0);

/** The secrets of a value that are not sealed yet. */
export function unsealedSecrets(field: string, value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  replaceSecrets(field, value, (secret) => (isSealed(secret) ? secret : (found.push(secret), secret)), 0);
  return found;
}

/** The value with each unsealed secret replaced, in the order in which `unsealedSecrets` gives them. */
export function withSecretsSealed(field: string, value: unknown, sealed: readonly SealedValue[]): unknown {
  const queue = [...sealed];
  return replaceSecrets(field, value, (secret) => (isSealed(secret) ? secret : queue.shift()), 0);
}

/**
 * The data of an event as it may be shown: sealed values, and non-empty texts whose name says that they are secret. Secrets
 * are sealed before they reach the log; the names catch what a client put where nothing is sealed.
 */
export function maskEventData(value: unknown): unknown {
  if (isSealed(value)) return MASK;
  if (Array.isArray(value)) return value.map(maskEventData);
  if (typeof value !== 'object' || value === null) return value;
  const shown = (key: string, inner: unknown): unknown =>
    isSecretName(key) && typeof inner === 'string' && inner !== '' ? MASK : maskEventData(inner);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(key, inner)]));
}

/**
 * What a URL may let one in with is nobody's business but the machine's: its user, which ends with the last `@` before the
 * path, and its query, which is where signed addresses keep their signature. What is no URL then is not told at all: its
 * password may have held a character that ends the host.
 */
export function urlWithoutCredentials(url: string): string {
  const shown = url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/\\]*@/i, '$1');
  return URL.canParse(shown) ? shown : MASK;
}
